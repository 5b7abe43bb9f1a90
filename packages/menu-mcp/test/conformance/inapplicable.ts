/** Checks of the official suite that this server cannot meet, with the reason; everything else must pass. */
export interface Inapplicable {
  readonly reason: string;
  /** `scenario:check` as the suite prints them. */
  readonly checks: readonly string[];
}

export const INAPPLICABLE: readonly Inapplicable[] = [
  {
    reason: 'calls tools of the suite’s own example server, which this server does not have',
    checks: [
      'tools-call-simple-text:tools-call-simple-text',
      'tools-call-image:tools-call-image',
      'tools-call-audio:tools-call-audio',
      'tools-call-embedded-resource:tools-call-embedded-resource',
      'tools-call-mixed-content:tools-call-mixed-content',
      'tools-call-error:tools-call-error',
      'json-schema-2020-12:json-schema-2020-12-tool-found',
      'server-stateless:sep-2575-server-rejects-undeclared-capability',
      'server-stateless:sep-2575-missing-capability-http-400',
      'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless:sep-2575-server-no-log-without-loglevel',
    ],
  },
  {
    reason: 'reads resources of the suite’s own example server, which this server does not have',
    checks: [
      'resources-read-text:resources-read-text',
      'resources-read-binary:resources-read-binary',
      'resources-templates-read:resources-templates-read',
    ],
  },
  {
    reason: 'gets prompts of the suite’s own example server, which this server does not have',
    checks: [
      'completion-complete:completion-complete',
      'prompts-get-simple:prompts-get-simple',
      'prompts-get-with-args:prompts-get-with-args',
      'prompts-get-embedded-resource:prompts-get-embedded-resource',
      'prompts-get-with-image:prompts-get-with-image',
    ],
  },
  {
    reason:
      'needs messages from the server during a call, but calls are answered as plain JSON with nothing before it',
    checks: [
      'logging-set-level:logging-set-level',
      'tools-call-with-logging:tools-call-with-logging',
      'tools-call-with-progress:tools-call-with-progress',
    ],
  },
  {
    reason: 'needs a server that asks its client for a sample or a form; this one only reads',
    checks: [
      'tools-call-sampling:tools-call-sampling',
      'tools-call-elicitation:tools-call-elicitation',
      'elicitation-sep1034-defaults:elicitation-sep1034-general',
      'elicitation-sep1330-enums:elicitation-sep1330-general',
      'input-required-result-missing-input-response:sep-2322-missing-response-rerequests',
      'input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params',
      'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete',
      'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete',
      'input-required-result-basic-sampling:sep-2322-sampling-incomplete',
      'input-required-result-capability-check:sep-2322-respect-client-capabilities',
      'input-required-result-multi-round:sep-2322-multi-round-r1',
      'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete',
      'input-required-result-non-tool-request:sep-2322-non-tool-incomplete',
      'input-required-result-request-state:sep-2322-request-state-incomplete',
      'input-required-result-result-type:sep-2322-result-type-included',
      'input-required-result-tampered-state:sep-2322-reject-tampered-state',
    ],
  },
  {
    reason: 'needs subscriptions, which need a session; this server is stateless and does not declare them',
    checks: ['resources-subscribe:resources-subscribe', 'resources-unsubscribe:resources-unsubscribe'],
  },
  {
    reason: 'warns that there is no session to open streams in; this server is stateless and never streams',
    checks: [
      'server-sse-multiple-streams:server-sse-multiple-streams-session',
      'server-sse-polling:server-sse-polling-session',
    ],
  },
  {
    reason: 'needs a tool whose arguments are repeated in headers; the arguments here are not for routing',
    checks: [
      'http-custom-header-server-validation:sep-2243-server-no-xmcp-tool',
      'http-custom-header-server-validation:sep-2243-server-decode-base64',
      'http-custom-header-server-validation:sep-2243-server-validate-param-match',
      'http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars',
      'http-custom-header-server-validation:sep-2243-server-reject-param-mismatch',
    ],
  },
  {
    reason:
      'belongs to the tasks extension, which this server does not offer: every call is answered at once',
    checks: [
      'tasks-capability-negotiation:tasks-extension-advertised',
      'tasks-capability-negotiation:sep-2663-tasks-methods-non-declaring',
      'tasks-capability-negotiation:sep-2663-server-rejects-undeclared-client',
      'tasks-capability-negotiation:tasks-per-request-meta-opt-in',
      'tasks-dispatch-and-envelope:tasks-server-directed-creation-no-hint',
      'tasks-dispatch-and-envelope:sep-2663-legacy-task-param-ignored',
      'tasks-dispatch-and-envelope:tasks-immediate-result-shortcut',
      'tasks-dispatch-and-envelope:tasks-result-type-complete-on-non-task-responses',
      'tasks-dispatch-and-envelope:sep-2663-durable-create-strong-consistency',
      'tasks-dispatch-and-envelope:sep-2663-tasks-get-invalid-task-id-32602',
      'tasks-lifecycle:tasks-sync-tool-call',
      'tasks-lifecycle:sep-2663-result-type-task-on-create',
      'tasks-lifecycle:sep-2663-tasks-get-status-working',
      'tasks-lifecycle:sep-2663-tasks-get-status-completed',
      'tasks-lifecycle:sep-2663-tool-error-uses-completed-status',
      'tasks-lifecycle:sep-2663-tasks-get-status-failed',
      'tasks-lifecycle:sep-2663-cancel-ack-empty-result',
      'tasks-lifecycle:tasks-cancel-terminal-idempotent-ack',
      'tasks-mrtr-composition:sep-2663-mrtr-synchronous-before-task-creation',
      'tasks-mrtr-input:sep-2663-tasks-get-status-input-required',
      'tasks-mrtr-input:tasks-mrtr-tasks-update-resumes',
      'tasks-mrtr-input:tasks-mrtr-partial-fulfillment',
      'tasks-request-headers:tasks-headers-tolerate-mcp-method-on-tools-call',
      'tasks-request-headers:sep-2663-routing-headers-accepted-on-tasks-get',
      'tasks-request-headers:sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      'tasks-request-state-removal:tasks-request-state-removal-setup',
      'tasks-required-task-error:sep-2663-server-returns-missing-capability-when-required',
      'tasks-wire-fields:tasks-wire-field-renames',
      'tasks-wire-fields:tasks-no-early-ttl-expiry',
      'tasks-wire-fields:tasks-no-related-task-meta-on-inlined-result',
    ],
  },
];

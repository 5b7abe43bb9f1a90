/** Scenarios of the official suite that this server cannot meet, with the reason; everything else must pass. */
export const INAPPLICABLE: readonly { readonly reason: string; readonly checks: readonly string[] }[] = [
  {
    reason: 'calls tools of the suite’s own example server, which this server does not have',
    checks: [
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-error',
      'json-schema-2020-12',
    ],
  },
  {
    reason: 'reads resources of the suite’s own example server, which this server does not have',
    checks: ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  },
  {
    reason: 'needs prompts, which this server does not have',
    checks: [
      'completion-complete',
      'prompts-list',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
    ],
  },
  {
    reason: 'needs messages from the server during a call; calls here are answered at once',
    checks: ['logging-set-level', 'tools-call-with-logging', 'tools-call-with-progress'],
  },
  {
    reason: 'needs a server that asks its client for a sample or a form; this one only reads',
    checks: [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ],
  },
  {
    reason:
      'needs a session, which this version has over stdio alone; the newest version subscribes without one',
    checks: ['resources-subscribe', 'resources-unsubscribe', 'server-sse-multiple-streams'],
  },
];

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { MiddlewareHandler } from 'hono';
import type { HttpHooks } from 'rostack-server';
import { createScrubber } from './log/scrub.ts';

export interface TracingOptions {
  /** Base URL of a collector that takes OTLP over HTTP, such as `http://localhost:4318`. */
  readonly endpoint: string;
  /** Header fields of the exporter, such as credentials: `name=value,name=value`. */
  readonly headers: string | undefined;
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** The longest that spans wait before they are sent. @default 5000 */
  readonly exportIntervalMs?: number;
  /** Called when spans start getting lost. */
  readonly onFailure: (error: unknown) => void;
}

/** Traces of one gateway; nothing is registered globally in the process. */
export interface Tracing extends AsyncDisposable {
  /** A span for each request, continuing the trace that the client names in `traceparent`. */
  readonly middleware: MiddlewareHandler;
  /** Adds to the span what the protocol knows about a request. */
  readonly hooks: HttpHooks;
  /** Runs work as a span under the one that is active. */
  readonly inSpan: InSpan;
}

export type InSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>) => Promise<T>;

const SERVER_ERROR = 500;
/** Clients choose paths and request ids, so a credential may have got into them. */
const scrub = createScrubber([]);
/** For one batch, retries included: shutdown waits for the last one. */
const EXPORT_TIMEOUT_MS = 3_000;

/** Sends spans to a collector in batches. Disposing sends the rest. */
export function createTracing(options: TracingOptions): Tracing {
  const { endpoint, headers, serviceName, serviceVersion, exportIntervalMs = 5_000, onFailure } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: parseHeaders(headers),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': serviceVersion }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new ReportingExporter(exporter, onFailure),
        scheduledDelayMillis: exportIntervalMs,
      }),
    ],
  });
  const tracer = provider.getTracer('rostack-gateway', serviceVersion);
  const active = new AsyncLocalStorage<Context>();
  return {
    middleware: requestSpans(tracer, active),
    hooks: {
      onRequest: ({ requestId, operation, resource, problem, status, principalId, pageCache }) => {
        const span = trace.getSpan(active.getStore() ?? ROOT_CONTEXT);
        if (operation !== undefined)
          span?.updateName(resource === undefined ? operation : `${operation} ${resource}`);
        span?.setAttributes({
          'rostack.request_id': scrub(requestId),
          'http.response.status_code': status,
          ...(operation !== undefined && { 'rostack.operation': operation }),
          ...(resource !== undefined && { 'rostack.resource': resource }),
          ...(problem !== undefined && { 'error.type': problem }),
          ...(principalId !== undefined && { 'rostack.principal_id': principalId }),
          ...(pageCache !== undefined && { 'rostack.page_cache': pageCache }),
        });
      },
      onError: (error) =>
        trace.getSpan(active.getStore() ?? ROOT_CONTEXT)?.addEvent('exception', {
          'exception.type': error instanceof Error ? error.name : typeof error,
        }),
    },
    inSpan: (name, attributes, work) => {
      const parent = active.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
      return active.run(trace.setSpan(parent, span), () => endWith(span, work));
    },
    // A collector that does not answer has already been reported.
    [Symbol.asyncDispose]: () => provider.shutdown().catch(() => {}),
  };
}

function requestSpans(tracer: Tracer, active: AsyncLocalStorage<Context>): MiddlewareHandler {
  const propagator = new W3CTraceContextPropagator();
  return async (c, next) => {
    const parent = propagator.extract(
      ROOT_CONTEXT,
      Object.fromEntries(c.req.raw.headers),
      defaultTextMapGetter,
    );
    const { method } = c.req;
    const attributes = {
      'http.request.method': method,
      'url.path': scrub(c.req.path),
      'url.scheme': 'https',
    };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    await active.run(trace.setSpan(parent, span), next);
    span.setAttribute('http.response.status_code', c.res.status);
    if (c.res.status >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
}

async function endWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    throw error;
  } finally {
    span.end();
  }
}

/** Same format as the specification's OTEL_EXPORTER_OTLP_HEADERS: values may be percent-encoded. */
function parseHeaders(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').map((pair) => pair.split(/=(.*)/s));
  return Object.fromEntries(
    pairs.flatMap(([name = '', value = '']) =>
      name.trim() === '' ? [] : [[name.trim(), decode(value.trim())]],
    ),
  );
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

type OnExported = Parameters<SpanExporter['export']>[1];

/** Reports when an exporter starts to fail, and not again until it has worked in between. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #onFailure: (error: unknown) => void;
  #isFailing = false;

  constructor(exporter: SpanExporter, onFailure: (error: unknown) => void) {
    this.#exporter = exporter;
    this.#onFailure = onFailure;
  }

  export(spans: ReadableSpan[], onExported: OnExported): void {
    this.#exporter.export(spans, (result) => {
      const isFailing = result.code !== ExportResultCode.SUCCESS;
      if (isFailing && !this.#isFailing) this.#onFailure(result.error);
      this.#isFailing = isFailing;
      onExported(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }
}

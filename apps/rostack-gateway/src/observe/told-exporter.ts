import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type OnExported = Parameters<SpanExporter['export']>[1];

/** An exporter that tells when it begins to fail, once until it works again. */
export class ToldExporter implements SpanExporter {
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

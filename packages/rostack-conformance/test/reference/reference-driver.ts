import type { JsonObject } from 'rostack-core';
import { parseSharedToken } from 'rostack-server';
import type { Driver, DriverChange, DriverOperation, IssueRequest } from '../../src/check/driver.ts';
import { DRIVER_OPERATIONS } from '../../src/check/driver.ts';
import type { ReferenceServer } from './reference-server.ts';

const DRAIN_MS = 300;

/** Drives a reference server in its own process. */
export class ReferenceDriver implements Driver {
  readonly operations: ReadonlySet<DriverOperation> = new Set(DRIVER_OPERATIONS);
  readonly samples = {};
  readonly #reference: ReferenceServer;
  #drained: Promise<void> = Promise.resolve();

  constructor(reference: ReferenceServer) {
    this.#reference = reference;
  }

  async put(resource: string, record: JsonObject): Promise<void> {
    this.#reference.put(resource, record);
  }

  async delete(resource: string, id: string): Promise<void> {
    this.#reference.delete(resource, id);
  }

  async burst(resource: string, changes: readonly DriverChange[]): Promise<void> {
    for (const change of changes) {
      if (change.op === 'put') this.#reference.put(resource, change.record);
      else this.#reference.delete(resource, change.id);
      // Others are served between the writes.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async issue({ expiresInMs, permissions }: IssueRequest): Promise<string> {
    const expiresAtMs = expiresInMs === undefined ? undefined : Date.now() + expiresInMs;
    return this.#reference.issueToken('main', permissions, expiresAtMs);
  }

  async revoke(token: string): Promise<void> {
    this.#reference.tokens.revoke(parseSharedToken(token) ?? '', Date.now());
  }

  async drain(): Promise<void> {
    this.#drained = this.#reference.gateway.drain({ drainTimeoutMs: DRAIN_MS });
  }

  async restart(): Promise<void> {
    await this.#drained;
    await this.#reference.restart();
  }

  async prune(): Promise<void> {
    this.#reference.prune();
  }

  async save(): Promise<void> {
    this.#reference.save();
  }

  async restore(): Promise<void> {
    await this.#reference.restore();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#drained;
  }
}

import { type JsonObject, jsonEquals, type Resource, recordIdText } from 'rostack-core';
import type { CheckContext } from '../../../check/check-context.ts';
import type { Failure } from '../../../check/findings.ts';
import { itemUrl } from '../../../probe/place/urls.ts';
import { type Chain, type ListParameters, largestLimit, readChain } from './chain.ts';
import { findIdMember, idOf } from './id-member.ts';

/** The records of a resource in a list without a filter; other answers are compared with them. */
export interface Sample {
  readonly resource: Resource;
  readonly items: readonly JsonObject[];
  /** Whether these are all records. */
  readonly isWhole: boolean;
}

/** If a target has more records than fit in these pages, only the first ones are used. */
const MAX_SAMPLE_PAGES = 10;

/** Samples for the discovery document of each run. They are read once, and again if they turn out to be old. */
const samples = new WeakMap<object, Map<string, Promise<Sample | undefined>>>();

/** How many resources are checked, since the number of requests in a run is limited. */
const MAX_RESOURCES = 10;

/** A sample of each resource whose list the token may read; at most ten. */
export async function samplesOf(context: CheckContext): Promise<readonly Sample[]> {
  const found: Sample[] = [];
  for (const resource of context.discovery.resources) {
    if (found.length >= MAX_RESOURCES) return found;
    const sample = await sampleOf(context, resource);
    if (sample !== undefined) found.push(sample);
  }
  return found;
}

/** The samples that have at least this many records. */
export const samplesWith = async (context: CheckContext, count: number): Promise<readonly Sample[]> =>
  (await samplesOf(context)).filter(({ items }) => items.length >= count);

function sampleOf(context: CheckContext, resource: Resource): Promise<Sample | undefined> {
  const ofRun = samples.get(context.discovery) ?? new Map<string, Promise<Sample | undefined>>();
  samples.set(context.discovery, ofRun);
  const known = ofRun.get(resource.name) ?? readSample(context, resource);
  ofRun.set(resource.name, known);
  return known;
}

async function readSample(context: CheckContext, resource: Resource): Promise<Sample | undefined> {
  const limit = String(largestLimit(context));
  const chain = await readChain(context, resource, { limit }, { maxPages: MAX_SAMPLE_PAGES });
  if (chain.broken !== undefined && chain.pages.length === 0) return undefined;
  await findIdMember(context, resource, chain.items);
  return { resource, items: chain.items, isWhole: chain.isWhole };
}

/** How to compare a list. */
export interface Comparison<T> {
  readonly parameters: ListParameters;
  /** What is wrong with a list, given the records of the sample; undefined if it is right. */
  readonly differs: (chain: Chain, sample: Sample) => T | undefined;
  /** @default that of `readChain` */
  readonly maxPages?: number;
}

/** A list that was compared: what is wrong with it, or why it could not be read. */
export interface Compared<T> {
  readonly chain: Chain;
  readonly difference?: T;
  readonly broken?: Failure;
  /** Set if there was a difference but the records changed each time, so that it shows nothing. */
  readonly isUnsettled?: true;
  /** The records that it was compared with. */
  readonly sample: Sample;
}

const MAX_ATTEMPTS = 4;

/** After this many changes, a resource is not read again. */
const MAX_CHANGES = 8;

/** How often the records of resources have changed during the comparisons of a run. */
const changes = new WeakMap<object, Map<string, number>>();

/**
 * Compares a list with the sample of its resource. While records change, both are read again until they match or the sample stays the same:
 * a difference that a change explains does not count.
 */
export async function compareList<T>(
  context: CheckContext,
  first: Sample,
  { parameters, differs, maxPages }: Comparison<T>,
): Promise<Compared<T>> {
  let sample = (await sampleOf(context, first.resource)) ?? first;
  for (let attempt = 1; ; attempt += 1) {
    const chain = await readChain(
      context,
      sample.resource,
      parameters,
      maxPages === undefined ? {} : { maxPages },
    );
    if (chain.broken !== undefined) return { chain, sample, broken: chain.broken };
    const difference = differs(chain, sample);
    if (difference === undefined) return { chain, sample };
    const ofRun = changes.get(context.discovery) ?? new Map<string, number>();
    changes.set(context.discovery, ofRun);
    const changed = ofRun.get(sample.resource.name) ?? 0;
    if (attempt > MAX_ATTEMPTS || changed >= MAX_CHANGES) return { chain, sample, isUnsettled: true };
    samples.get(context.discovery)?.delete(sample.resource.name);
    const now = (await sampleOf(context, sample.resource)) ?? sample;
    if (jsonEquals(now.items, sample.items)) return { chain, sample: now, difference };
    ofRun.set(sample.resource.name, changed + 1);
    sample = now;
  }
}

/** What distinguishes a record from others: its member `id`, or all of it. */
export const keyOf = (record: JsonObject): string => recordIdText(record['id']) ?? JSON.stringify(record);

/** The URL of a record; undefined if it has no usable id. */
export function recordUrl(resource: Resource, record: JsonObject): string | undefined {
  const id = idOf(record, resource);
  return id === undefined ? undefined : itemUrl(resource, id);
}

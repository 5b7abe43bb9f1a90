import type { Position } from 'rostack-core';

/** 48 random bits in base64url. */
const TAG_LENGTH = 8;

/** A tag for one transaction. @param randomId as in the store's options */
export function newTag(randomId: () => string): string {
  return randomId().slice(-TAG_LENGTH);
}

/** The version that a change writes: epoch "-" position "." tag. Versions written by releases without tags have no third part. */
export function versionOf(epoch: string, position: Position, tag: string): string {
  return `${epoch}-${position}.${tag}`;
}

/** The tag of the transaction that wrote a version; empty if there is none. Neither epochs nor tags contain a full stop. */
export function tagOf(version: string): string {
  const stop = version.indexOf('.');
  return stop === -1 ? '' : version.slice(stop + 1);
}

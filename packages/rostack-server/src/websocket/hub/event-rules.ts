import type { Change, EventDescriptor, Resource, Transition } from 'rostack-core';

/** Which event a change is, by the resource's descriptors. */
export class EventRules {
  readonly #byName: ReadonlyMap<string, EventDescriptor>;
  readonly #byTransition: ReadonlyMap<Transition, EventDescriptor>;

  constructor(resource: Resource) {
    this.#byName = new Map(resource.events.map((descriptor) => [descriptor.name, descriptor]));
    this.#byTransition = new Map(
      resource.events.map((descriptor) => [descriptor.state_transition, descriptor]),
    );
  }

  /** The event that the producer named; undefined when it named none, or one that is not advertised. */
  descriptorOf(change: Change): EventDescriptor | undefined {
    return change.eventType === undefined ? undefined : this.#byName.get(change.eventType);
  }

  /** The only event of a transition: resources that filter events have one of each. */
  descriptorFor(transition: Transition | undefined): EventDescriptor | undefined {
    return transition === undefined ? undefined : this.#byTransition.get(transition);
  }
}

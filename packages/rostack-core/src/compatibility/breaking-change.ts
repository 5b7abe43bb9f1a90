/** What can break a client of an implementation. */
export type BreakingChangeKind =
  | 'authentication_method_removed'
  | 'permission_removed'
  | 'permission_required'
  | 'filter_operator_removed'
  | 'filterable_field_removed'
  | 'sortable_field_removed'
  | 'event_filtering_removed'
  | 'resource_removed'
  | 'representation_removed'
  | 'event_removed'
  | 'transition_changed'
  | 'tombstone_changed'
  | 'field_removed'
  | 'field_made_optional'
  | 'type_changed'
  | 'type_narrowed'
  | 'schema_missing';

/** One change that can break a client of the older version. */
export interface BreakingChange {
  /** What was removed, narrowed or changed. */
  readonly kind: BreakingChangeKind;
  /**
   * The place by names: a JSON Pointer such as `/resources/stations/events/station.created`. For a field, the pointer of
   * its representation or event, `#`, and the field's own pointer, where `*` means any item.
   */
  readonly path: string;
  /** The old and the new state. */
  readonly reason: string;
}

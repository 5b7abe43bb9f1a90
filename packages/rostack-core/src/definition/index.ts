export type {
  AuthenticationDeclaration,
  EventDeclaration,
  ImplementationDeclaration,
  LimitsDeclaration,
  Projection,
  RecordModel,
  RepresentationDeclaration,
  ResourceDeclaration,
  StateChange,
  UrlsDeclaration,
} from './declaration.ts';
export { defaultErrors } from './default-errors.ts';
export { defineImplementation, type ImplementationDefinition } from './define-implementation.ts';
export { DefinitionError } from './definition-error.ts';
export { fieldTypes } from './field-types.ts';
export { eventData, type ImplementedEvent, type ImplementedResource } from './implemented-resource.ts';

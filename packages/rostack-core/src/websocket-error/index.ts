export { CLOSE_CODES, type CloseCode } from './close-codes.ts';
export { createErrorMessage, ErrorMessageError, parseErrorMessage } from './create-error-message.ts';
export {
  type ErrorMembers,
  type ErrorMessage,
  type ErrorMessageOf,
  WEBSOCKET_ERROR_CODES,
  WEBSOCKET_ERRORS,
  type WebSocketErrorCode,
} from './websocket-errors.ts';

/** What both services' modules of the SDK have in common. */
export { type AuthorizedCall, type Photo, type SignedObject, SigningAgent } from './agent.ts';
export { AgentKey } from './agent-key.ts';
export { enroll, proveWork, provision } from './enroll.ts';
export { ApiError, ConnectionError, type ConnectionProblem, CountersignError } from './errors.ts';
export type { AgentOptions, CallOptions, ClientOptions, IdempotentOptions, Unsigned } from './options.ts';
export { List } from './pages.ts';
export { Transport } from './transport.ts';
export { type Delivery, verifyWebhook, WebhookError } from './webhooks.ts';

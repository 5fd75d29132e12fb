import type { JsonObject } from '../../../../proof/encoding/json.ts';
import type { PushConfig } from '../messages/push-config.ts';

/** Returns a configuration of push notifications as A2A 0.1 writes it. */
export function writePush01(config: PushConfig): JsonObject {
  return { id: config.taskId, pushNotificationConfig: configOf(config) };
}

/** Returns a configuration as A2A 0.2 and 0.3 write it. */
export function writePush03(config: PushConfig): JsonObject {
  return { taskId: config.taskId, pushNotificationConfig: configOf(config) };
}

/** Returns a configuration as A2A 1.0 writes it (ProtoJSON). */
export function writePush10({ id, taskId, url, scheme, made }: PushConfig): JsonObject {
  return {
    taskId,
    id,
    url,
    ...secretsOf(made),
    ...(scheme === null ? {} : { authentication: { scheme, ...credentialsOf(made) } }),
  };
}

function configOf({ id, url, scheme, made }: PushConfig): JsonObject {
  return {
    id,
    url,
    ...secretsOf(made),
    ...(scheme === null ? {} : { authentication: { schemes: [scheme], ...credentialsOf(made) } }),
  };
}

/** `signingSecret` is a member of this service: the key of the signature of Standard Webhooks. */
function secretsOf(made: PushConfig['made']): JsonObject {
  if (made === null) return {};
  return { ...(made.token === null ? {} : { token: made.token }), signingSecret: made.signingSecret };
}

function credentialsOf(made: PushConfig['made']): JsonObject {
  return made === null || made.credentials === null ? {} : { credentials: made.credentials };
}

import type { JsonValue } from '../../../../proof/encoding/json.ts';
import type { Artifact, Message } from '../messages/task.ts';

// JSON.parse, because the service wrote the text, with its limits: the strict parser would take a tenth of
// the time of reading a task.

/** Returns a stored message. @throws Error for one that the service did not write */
export function messageIn(content: string): Message {
  const value: JsonValue = JSON.parse(content);
  if (!isMessage(value)) throw new Error('a stored message is damaged. Run countersign fsck');
  return value;
}

/** Returns a stored artifact. @throws Error for one that the service did not write */
export function artifactIn(content: string): Artifact {
  const value: JsonValue = JSON.parse(content);
  if (!isArtifact(value)) throw new Error('a stored artifact is damaged. Run countersign fsck');
  return value;
}

/** Returns whether a value is a stored message. */
export function isMessage(value: JsonValue | Message): value is Message {
  return (
    typeof value === 'object' && value !== null && 'messageId' in value && 'role' in value && 'parts' in value
  );
}

/** Returns whether a value is a stored artifact. */
export function isArtifact(value: JsonValue | Artifact): value is Artifact {
  return (
    typeof value === 'object' &&
    value !== null &&
    'artifactId' in value &&
    'name' in value &&
    'parts' in value
  );
}

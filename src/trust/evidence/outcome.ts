import { isJsonObject, type JsonObject } from '../../proof/encoding/json.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { isErroneous, spansOf } from '../../proof/evidence/spans.ts';
import type { Outcome } from '../reputation/count.ts';

/**
 * How the work ended that a payload tells of: a failure when a span ended with status ERROR, a control failed, a deliverable
 * says so or has an error_classification. What GitHub sends is a success, whatever it tells of: the work was done.
 */
export function outcomeOf(sourceType: SourceType, payload: JsonObject): Outcome {
  return hasFailed(sourceType, payload) ? 'failure' : 'success';
}

function hasFailed(sourceType: SourceType, payload: JsonObject): boolean {
  switch (sourceType) {
    case 'compliance_report':
      return (
        Array.isArray(payload.controls) &&
        payload.controls.some((control) => isJsonObject(control) && control.status === 'fail')
      );
    case 'otel_genai_trace':
      return spansOf(payload).some(isErroneous);
    case 'task_deliverable':
      return payload.outcome === 'failure' || isClassified(payload);
    default:
      return false;
  }
}

/** NONE is the classification of what is no error, as it is a receipt's. */
function isClassified({ error_classification: classification }: JsonObject): boolean {
  return classification !== undefined && classification !== null && classification !== 'NONE';
}

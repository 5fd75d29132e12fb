import { isJsonObject, type JsonObject } from '../../proof/encoding/json.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { isErroneous, spansOf } from '../../proof/evidence/spans.ts';
import type { Outcome } from './reputation/count.ts';

/**
 * Returns the outcome of the work that a payload describes. It is a failure if a span ended with status
 * ERROR, a control failed, or a deliverable has outcome failure or an error_classification. A GitHub payload
 * is always a success: it proves that work was done.
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

/** NONE means that there was no error, as on receipts. */
function isClassified({ error_classification: classification }: JsonObject): boolean {
  return classification !== undefined && classification !== null && classification !== 'NONE';
}

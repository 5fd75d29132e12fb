import type { Authenticator } from '../../platform/http/auth/keyed.ts';
import { bearerToken } from '../../platform/http/auth/keyed.ts';
import { ApiError } from '../../platform/http/errors/errors.ts';
import { readBody } from '../../platform/http/request/body.ts';
import type { Store } from '../../platform/store/store.ts';
import { SENT_TYPES } from '../../proof/evidence/source-types.ts';
import { type OperatorActor, ownerOfIdempotencyKey } from '../operators/auth/actor.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import { serviceAuthFailed, unauthorized } from '../operators/auth/authenticate.ts';
import { ServiceToken } from '../operators/auth/service-token.ts';

/**
 * The sender of evidence: the principal of an API key or session; null for the holder of the service token.
 */
export interface EvidenceCaller {
  principal: OperatorActor | null;
}

/** Limit of members and elements in a body: GitHub's push of 2,048 commits has 43,008. */
export const MAX_EVIDENCE_ITEMS = 44_000;

/** The source type that only the service token may send, because it releases an engagement's payment. */
const SERVICE_SOURCE_TYPE = 'task_deliverable';

/**
 * Returns the authentication of evidence: `Authorization: Bearer svc_<64 hex>` for task_deliverable, an API
 * key for every other type. The error code of a 401 says which of the two is required.
 */
export function evidenceAuth({
  principals,
  store,
}: {
  principals: Principals;
  store: Store;
}): Omit<Authenticator<EvidenceCaller, true>, 'idempotency'> {
  const serviceToken = new ServiceToken(store);
  return {
    bodyRules: { maxItems: MAX_EVIDENCE_ITEMS },
    async authenticate(request) {
      const token = bearerToken(request);
      if (token?.startsWith('svc_') === true) {
        if (await serviceToken.matches(token)) return { principal: null };
        throw serviceAuthFailed();
      }
      try {
        return { principal: await principals.authenticate(request, 'any') };
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error;
        throw (await claimsDeliverable(request)) ? serviceAuthFailed() : unauthorized();
      }
    },
    authorize({ principal }, body) {
      const sourceType = sourceTypeIn(body);
      // The schema refuses an unknown source type.
      if (!SENT_TYPES.some((known) => known === sourceType)) return;
      const needsServiceToken = sourceType === SERVICE_SOURCE_TYPE;
      if (principal === null && !needsServiceToken) throw unauthorized();
      if (principal !== null && needsServiceToken) throw serviceAuthFailed();
    },
    /** `service` can be neither a key's hash nor an operator. */
    idempotencyScope: ({ principal }, isCapture) =>
      principal === null ? 'service' : ownerOfIdempotencyKey(principal, isCapture),
  };
}

/**
 * Deliverables have a few hundred bytes. Without this limit strangers could make the service parse a megabyte
 * for each 401.
 */
const MAX_INSPECTED_BYTES = 16_384;

/**
 * Returns whether the body of a refused request names task_deliverable, to choose the error code. A body that
 * is too large or does not parse counts as no.
 */
async function claimsDeliverable(request: Request): Promise<boolean> {
  try {
    const text = new TextDecoder().decode(await readBody(request, MAX_INSPECTED_BYTES));
    return sourceTypeIn(JSON.parse(text)) === SERVICE_SOURCE_TYPE;
  } catch {
    return false;
  }
}

function sourceTypeIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'source_type' in body ? body.source_type : undefined;
}

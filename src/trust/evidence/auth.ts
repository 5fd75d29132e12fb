import type { Authenticator } from '../../platform/http/auth/keyed.ts';
import { bearerToken } from '../../platform/http/auth/keyed.ts';
import { ApiError } from '../../platform/http/errors/errors.ts';
import { readBody } from '../../platform/http/request/body.ts';
import { SOURCE_TYPES } from '../../proof/evidence/source-types.ts';
import type { TrustContext } from '../context.ts';
import { type Principal, serviceAuthFailed, unauthorized } from '../operators/auth/principals.ts';
import { ServiceToken } from '../operators/auth/service-token.ts';

/** Who sends evidence: the principal of an API key or session; null for the holder of the service token. */
export interface EvidenceCaller {
  principal: Principal | null;
}

/** Members and elements of a body of evidence: a push of 2,048 commits with all that GitHub says of each has 43,008. */
export const MAX_EVIDENCE_ITEMS = 44_000;

/** The source type that only the service token may send: it releases the money of an engagement. */
const OF_THE_SERVICE = 'task_deliverable';

/**
 * Authenticates who sends evidence, and says what each may send: task_deliverable by `Authorization: Bearer svc_<64 hex>`, every
 * other type by an API key. A 401 names the credential that was needed.
 */
export function evidenceAuth({
  principals,
  store,
}: Pick<TrustContext, 'principals' | 'store'>): Omit<Authenticator<EvidenceCaller, true>, 'idempotency'> {
  const serviceToken = new ServiceToken(store);
  return {
    maxBodyItems: MAX_EVIDENCE_ITEMS,
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
      // What is no source type at all is left to the schema.
      if (!SOURCE_TYPES.some((known) => known === sourceType)) return;
      const isOfTheService = sourceType === OF_THE_SERVICE;
      if (principal === null && !isOfTheService) throw unauthorized();
      if (principal !== null && isOfTheService) throw serviceAuthFailed();
    },
    /** No key hash has this name. */
    idempotencyScope: ({ principal }) => principal?.keyHash ?? 'service',
  };
}

/** Deliverables are a few hundred bytes; strangers could make the service read and parse a megabyte for each 401. */
const MOST_LOOKED_AT = 16_384;

/**
 * Whether the body of a request that is refused anyway says that it is the service's. Nothing else is told of it, so it is
 * read as leniently as can be; a large one is not read.
 */
async function claimsDeliverable(request: Request): Promise<boolean> {
  try {
    const text = new TextDecoder().decode(await readBody(request, MOST_LOOKED_AT));
    return sourceTypeIn(JSON.parse(text)) === OF_THE_SERVICE;
  } catch {
    return false;
  }
}

function sourceTypeIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'source_type' in body ? body.source_type : undefined;
}

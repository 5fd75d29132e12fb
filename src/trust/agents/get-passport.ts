import type { Store } from '../../platform/store/store.ts';
import { backdateCredentialsKey, refuseReadOnly } from '../log/keys/signing/statements.ts';
import { requireAgentIn } from './agents.ts';
import { type Passport, type PassportContext, passportTime, signedPassport } from './passport.ts';

/**
 * Returns an agent's passport as of now.
 * @throws ApiError not_found; clock_wrong, as `signedPassport`; ReadOnly
 */
export async function getPassport(
  trust: PassportContext & { store: Store; readOnly: boolean },
  commitment: string,
): Promise<Passport> {
  refuseReadOnly(trust);
  // Before the snapshot is opened, so that the passport knows of everything that was stored until as_of.
  const { wall, jump } = trust.clockWatch.read();
  const passport = await trust.store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    return signedPassport(snapshot, trust, agent, jump === null ? wall : passportTime(trust, agent));
  });
  await backdateCredentialsKey(trust, passport.as_of);
  return passport;
}

import { commonErrors } from '../http/errors.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import { cliniciansErrors } from './errors.ts';
import type { Clinician } from './public-clinician.ts';
import { publicClinician } from './public-rows.ts';
import type { Clinicians } from './services.ts';

/** Returns one clinician. @throws ApiError INVALID_NPI, NOT_FOUND, REGISTRY_UNAVAILABLE */
export async function getClinician(
  { registry }: Pick<Clinicians, 'registry'>,
  npi: string,
): Promise<Clinician> {
  if (!isNpi(npi)) throw cliniciansErrors.INVALID_NPI();
  const clinician = await registry.read((open) => open.atOnce(() => publicClinician(open, Number(npi))));
  if (clinician === null)
    throw commonErrors.NOT_FOUND({
      message: 'The registry has no clinician with this NPI. Check the number for typing errors.',
    });
  return clinician;
}

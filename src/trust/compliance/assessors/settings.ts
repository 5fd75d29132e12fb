import { type Config, InvalidValue, Setting } from '../../../platform/config/setting.ts';
import { isHex } from '../../../proof/encoding/hex.ts';

/** Each build of a package asks for the assessments of all of them. */
const MOST_ASSESSORS = 100;

/** The settings of assessments. */
export const assessorsSettings = {
  assessors: new Setting<readonly string[]>('compliance.assessors', {
    description: `the subject commitments of the agents whose assessments packages count, separated by commas; at most ${MOST_ASSESSORS}`,
    argument: '<commitments>',
    fallback: [],
    fallbackText: 'none',
    parse: commitmentsOf,
  }),
};

/** The settings of assessments in the units of the code. */
export interface AssessorsPolicy {
  /** The subject commitments of the listed assessors, each once. */
  assessors: readonly string[];
}

export const assessorsPolicy = (config: Config): AssessorsPolicy => ({
  assessors: assessorsSettings.assessors.in(config),
});

function commitmentsOf(text: string): readonly string[] {
  const commitments = text.split(',').map((part) => part.trim());
  for (const commitment of commitments) {
    if (!isHex(commitment, 32))
      throw new InvalidValue(
        `has "${commitment}", which is not a subject commitment: 64 lower-case hexadecimal characters`,
      );
  }
  const each = [...new Set(commitments)];
  if (each.length > MOST_ASSESSORS) throw new InvalidValue(`has more than ${MOST_ASSESSORS} agents`);
  return each;
}

import type { Clinicians } from './services.ts';

/**
 * Returns the code of a named specialty: its only code, or the code of the classification. Null when the
 * specialty is unknown or ambiguous. @throws ApiError REGISTRY_UNAVAILABLE
 */
export function specialtyCode(
  { registry }: Pick<Clinicians, 'registry'>,
  text: string,
): Promise<string | null> {
  return registry.read(({ specialties: named }) => {
    const codes = named.resolve(text)?.codes ?? [];
    const general = codes.filter((code) => named.entryOf(code)?.specialization === null);
    const [only = null] = codes.length === 1 ? codes : general.length === 1 ? general : [];
    return only;
  });
}

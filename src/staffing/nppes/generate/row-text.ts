import { pickFrom, type Random } from '../../registry/sample/random.ts';
import { COLUMN, type ColumnKey, codeColumn, switchColumn } from '../reading/columns.ts';
import { HEADER } from './header.ts';
import { digits, type MadeUpIndividual, type MadeUpRow, one } from './made-up-rows.ts';
import { ORGANIZATION_CODES, ORGANIZATIONS, PREFIXES, STREETS, SUITES } from './words.ts';

const POSITIONS = new Map(HEADER.map((name, position) => [name, position]));
const MAILING = {
  street: 'Provider First Line Business Mailing Address',
  suite: 'Provider Second Line Business Mailing Address',
  city: 'Provider Business Mailing Address City Name',
  state: 'Provider Business Mailing Address State Name',
  postalCode: 'Provider Business Mailing Address Postal Code',
  country: 'Provider Business Mailing Address Country Code (If outside U.S.)',
  telephone: 'Provider Business Mailing Address Telephone Number',
};
const PRACTICE = {
  street: 'Provider First Line Business Practice Location Address',
  suite: 'Provider Second Line Business Practice Location Address',
  telephone: 'Provider Business Practice Location Address Telephone Number',
};

/** Returns the header as a line, quoted as CMS does. */
export function headerText(): string {
  return lineOf(HEADER);
}

/**
 * Returns made-up rows as lines of a V2 file, quoted as CMS does. One object makes many lines, because it
 * uses its array again.
 */
export class RowText {
  private readonly values = HEADER.map(() => '');
  private readonly filled: number[] = [];

  /** Returns the line of a row, with its line end. */
  of(row: MadeUpRow): string {
    for (const position of this.filled) this.values[position] = '';
    this.filled.length = 0;
    if (row.kind === 'individual') this.fillIndividual(row);
    else {
      this.put('npi', String(row.npi));
      if (row.kind === 'deactivated') this.put('deactivatedOn', published(row.deactivatedOn));
      else this.fillOrganization(row.updatedOn, row.random);
    }
    return lineOf(this.values);
  }

  private fillIndividual({ record, foreign, reactivated, random }: MadeUpIndividual): void {
    this.put('npi', String(record.npi));
    this.put('entityType', '1');
    this.put('lastName', record.lastName);
    this.put('firstName', record.firstName);
    this.put('middleName', record.middleName);
    this.put('suffix', record.suffix);
    this.put('credential', record.credential);
    if (random() < 0.3) this.set('Provider Name Prefix Text', pickFrom(random, PREFIXES));
    const [formerName] = record.formerNames;
    if (formerName !== undefined) {
      this.put('otherLastName', formerName);
      this.put('otherLastNameType', random() < 0.8 ? '1' : random() < 0.5 ? '2' : '5');
    }
    const [country, state, city, postalCode] = foreign ?? [
      random() < 0.96 ? 'US' : '',
      record.state,
      record.city,
      plusFour(record.postalCode, random),
    ];
    this.put('country', country);
    this.put('state', state);
    this.put('city', city);
    this.put('postalCode', postalCode);
    this.fillAddresses(random, city ?? '', state ?? '', postalCode ?? '', country);
    this.put('enumeratedOn', published(record.enumeratedOn));
    this.put('lastUpdatedOn', published(record.lastUpdatedOn));
    if (reactivated !== null) {
      this.put('deactivatedOn', published(reactivated[0]));
      this.put('reactivatedOn', published(reactivated[1]));
    }
    this.set('Provider Sex Code', random() < 0.75 ? 'F' : 'M');
    this.fillCodes(record.codes, record.state ?? '', random);
    this.set('Is Sole Proprietor', random() < 0.2 ? 'Y' : 'N');
    if (random() < 0.3) this.set('Certification Date', published(record.lastUpdatedOn));
  }

  /**
   * A primary code that is not in slot 1 has the switch Y; in slot 1, some have X or none. A code may be
   * there twice.
   */
  private fillCodes(codes: readonly string[], state: string, random: Random): void {
    const [primary, ...others] = codes;
    if (primary === undefined) return;
    const isLater = others.length > 0 && random() < 0.3;
    const slots = isLater ? [...others, primary] : [primary, ...others];
    const isRepeated = random() < 0.04;
    if (isRepeated) slots.push(slots[0] ?? primary);
    for (const [index, code] of slots.entries()) {
      const slot = index + 1;
      this.set(codeColumn(slot), code);
      if (random() < 0.8) {
        this.set(`Provider License Number_${slot}`, `RN${digits(random, 6)}`);
        this.set(`Provider License Number State Code_${slot}`, state);
      }
      const isPrimary = isLater ? index === others.length : index === 0;
      if (!isLater && random() < 0.03) this.set(switchColumn(slot), random() < 0.5 ? 'X' : '');
      else this.set(switchColumn(slot), isPrimary ? 'Y' : 'N');
    }
  }

  private fillOrganization(updatedOn: string, random: Random): void {
    const name = `${pickFrom(random, ['SAINT MARY', 'LAKESIDE', 'VALLEY', 'FIRST', 'SUNRISE'])} ${one(ORGANIZATIONS, random) ?? ''}`;
    this.put('entityType', '2');
    this.set('Employer Identification Number (EIN)', '<UNAVAIL>');
    this.set('Provider Organization Name (Legal Business Name)', name);
    this.set('Authorized Official Last Name', 'DOE');
    this.set('Authorized Official First Name', 'JANE');
    this.set('Authorized Official Title or Position', 'CEO');
    this.fillAddresses(random, 'CHICAGO', 'IL', '606011234', 'US');
    this.put('city', 'CHICAGO');
    this.put('state', 'IL');
    this.put('postalCode', '606011234');
    this.put('country', 'US');
    this.put('enumeratedOn', '05/23/2005');
    this.put('lastUpdatedOn', published(updatedOn));
    this.set(codeColumn(1), one(ORGANIZATION_CODES, random) ?? '');
    this.set(switchColumn(1), 'Y');
    this.set('Is Organization Subpart', 'N');
  }

  /**
   * Fills the mailing address, in another state for some, and the lines of the practice location that no
   * registry has.
   */
  private fillAddresses(random: Random, city: string, state: string, zip: string, country: string): void {
    const street = `${digits(random, 4)} ${one(STREETS, random) ?? ''}`;
    const suite = random() < 0.3 ? (one(SUITES, random) ?? '') : '';
    const telephone = `555${digits(random, 7)}`;
    const isElsewhere = random() < 0.15;
    this.set(PRACTICE.street, street);
    this.set(PRACTICE.suite, suite);
    this.set(PRACTICE.telephone, telephone);
    this.set(MAILING.street, isElsewhere ? 'PO BOX 12' : street);
    this.set(MAILING.suite, isElsewhere ? '' : suite);
    this.set(MAILING.city, isElsewhere ? 'DOVER' : city);
    this.set(MAILING.state, isElsewhere ? 'DE' : state);
    this.set(MAILING.postalCode, isElsewhere ? '199010012' : zip);
    this.set(MAILING.country, isElsewhere ? 'US' : country);
    this.set(MAILING.telephone, telephone);
  }

  private put(key: ColumnKey, value: string | null): void {
    this.set(COLUMN[key], value ?? '');
  }

  private set(name: string, value: string): void {
    if (value === '') return;
    const position = POSITIONS.get(name);
    if (position === undefined) throw new RangeError(`no column ${name}`);
    this.values[position] = value.includes('"') ? value.replaceAll('"', '""') : value;
    this.filled.push(position);
  }
}

function lineOf(values: readonly string[]): string {
  return `"${values.join('","')}"\n`;
}

/** Returns a day YYYY-MM-DD as MM/DD/YYYY. */
export function published(day: string | null): string {
  return day === null ? '' : `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
}

function plusFour(zip: string | null, random: Random): string | null {
  return zip === null || random() < 0.1 ? zip : `${zip}${digits(random, 4)}`;
}

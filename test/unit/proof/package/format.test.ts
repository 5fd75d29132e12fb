import { describe, expect, test } from 'bun:test';
import { type PackageControl, summaryOf } from '../../../../src/proof/package/format.ts';

describe('a compliance package', () => {
  test('counts its controls by status', () => {
    const control = (status: PackageControl['status']): PackageControl => ({
      id: 'CC7.2',
      title: '',
      status,
      attested_by: [],
      statement: '',
      not_shown: '',
      to_add: null,
      counts: {},
      references: null,
      assessments: null,
    });
    expect(summaryOf([])).toEqual({ satisfied: 0, partial: 0, reported: 0, not_assessed: 0 });
    expect(summaryOf([control('partial'), control('satisfied'), control('partial')])).toEqual({
      satisfied: 1,
      partial: 2,
      reported: 0,
      not_assessed: 0,
    });
  });
});

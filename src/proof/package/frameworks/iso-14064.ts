import { byCluster, type Framework } from './mapping.ts';

/**
 * ISO 14064-1, the inventory of an organization. Avoided carbon is not part of an inventory: it is listed
 * apart, under the clause of ISO 14064-2 about the quantification of a project.
 */
export const iso14064: Framework = {
  id: 'ISO_14064',
  publisher: 'ISO',
  edition: 'ISO 14064-1:2018, and ISO 14064-2:2019 for avoided carbon',
  notes: ['An inventory is of an organization over a year. A package is of one cluster over its period.'],
  kinds: ['datacenter'],
  controls: [
    {
      id: 'ISO 14064-1, 5.2.4',
      title: 'Emissions of imported energy as a category of their own',
      statement: {
        energy: 'Items of telemetry that state imported energy: {energy}.',
        carbon_intensity:
          'With the carbon intensity of the grid, energy gives its emissions: {carbon_intensity} items.',
      },
      not_shown: 'Other categories, other sites and fuel that is burnt are not known to the service.',
      to_add: 'The inventory of all categories, with its boundaries.',
      agent: null,
      cluster: byCluster('energy', [], {
        statements: ['energy', 'carbon_intensity'],
        shows: ['instances'],
      }),
    },
    {
      id: 'ISO 14064-1, 6.2.2',
      title: 'Selection and collection of data',
      statement: {
        energy: 'Data that instruments signed is apart from data that the operator declared.',
        energy_hardware_measured: 'Items of energy that instruments signed: {energy_hardware_measured}.',
      },
      not_shown:
        'Calibration and completeness of the instruments are not known. Simulated data does not count.',
      to_add: 'Why the data was chosen, and how instruments are calibrated.',
      agent: null,
      cluster: byCluster('energy', [], {
        statements: ['energy', 'energy_hardware_measured'],
        shows: ['declared', 'simulated', 'measured_days'],
      }),
    },
    {
      id: 'ISO 14064-1, 6.3',
      title: 'Calculation of emissions',
      statement: {
        facility_energy: 'Items with the energy of the facility: {facility_energy}.',
        carbon_intensity:
          'Emissions are energy times carbon intensity. The operator, who has the values, can repeat it.',
      },
      not_shown: 'The intensity of the grid is as it was sent. Energy without intensity is not in the sum.',
      to_add: 'The model of quantification, and the source of the intensity.',
      agent: null,
      cluster: byCluster('energy', [], {
        statements: ['facility_energy', 'carbon_intensity'],
        shows: ['renewable_energy'],
      }),
    },
    {
      id: 'ISO 14064-1, 8.2',
      title: 'Records kept',
      statement: { telemetry: 'Each item of telemetry has a signed receipt in an append-only log.' },
      not_shown: 'Telemetry that was not sent has no record.',
      to_add: 'The other records of the inventory, and for how long they are kept.',
      agent: null,
      cluster: byCluster('telemetry', ['telemetry'], { shows: ['hardware_measured', 'declared'] }),
    },
    {
      id: 'ISO 14064-2, 6.8',
      title: 'Quantification of avoided emissions, apart from the inventory',
      statement: { avoided: 'Avoided carbon is as it was sent, apart from the inventory.' },
      not_shown: 'The baseline of the project is not known. It reduces no inventory.',
      to_add: 'The project, its baseline, and how the reduction was quantified.',
      agent: null,
      cluster: byCluster('avoided', [], { statements: ['avoided'], shows: ['simulated'] }),
    },
  ],
};

import { byCluster, type Framework } from './mapping.ts';

/**
 * ISO 14064-1, the inventory of an organization. Avoided carbon is not part of an inventory: it is listed
 * apart, under the clause of ISO 14064-2 about the quantification of a project.
 */
export const iso14064: Framework = {
  id: 'ISO_14064',
  publisher: 'ISO',
  edition: 'ISO 14064-1:2018, and ISO 14064-2:2019 for avoided carbon',
  kinds: ['datacenter'],
  controls: [
    {
      id: 'ISO 14064-1, 5.2.4',
      title: 'Emissions of imported energy as a category of their own',
      statement: 'Energy and the carbon intensity of the grid give the emissions of imported energy only.',
      agent: null,
      cluster: byCluster('energy', ['energy', 'carbon_intensity'], { best: 'partial', shows: ['instances'] }),
    },
    {
      id: 'ISO 14064-1, 6.2.2',
      title: 'Selection and collection of data',
      statement:
        'Data that instruments signed is apart from data that the operator declared. Simulated data does not count.',
      agent: null,
      cluster: byCluster('energy', ['energy', 'energy_hardware_measured'], {
        shows: ['declared', 'simulated', 'measured_days'],
      }),
    },
    {
      id: 'ISO 14064-1, 6.3',
      title: 'Calculation of emissions',
      statement:
        'Emissions are facility energy times carbon intensity, over the items that have both. The sums can be repeated.',
      agent: null,
      cluster: byCluster('energy', ['facility_energy', 'carbon_intensity'], { shows: ['renewable_energy'] }),
    },
    {
      id: 'ISO 14064-1, 8.2',
      title: 'Records kept',
      statement: 'Each item of telemetry has a signed receipt in an append-only log.',
      agent: null,
      cluster: byCluster('telemetry', ['telemetry'], { shows: ['hardware_measured', 'declared'] }),
    },
    {
      id: 'ISO 14064-2, 6.8',
      title: 'Quantification of avoided emissions, apart from the inventory',
      statement:
        'Avoided carbon is as stated by who sent it. The baseline of the project is not known, and it reduces no inventory.',
      agent: null,
      cluster: byCluster('avoided', ['avoided'], { best: 'partial', shows: ['simulated'] }),
    },
  ],
};

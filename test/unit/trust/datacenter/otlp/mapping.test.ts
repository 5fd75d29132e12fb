import { describe, expect, test } from 'bun:test';
import type { TelemetryEvent } from '../../../../../db/trust/datacenter-enums.ts';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { inOneGo } from '../../../../../src/proof/encoding/steps.ts';
import type { Reading } from '../../../../../src/trust/datacenter/otlp/counters.ts';
import { mapInstance, type Source } from '../../../../../src/trust/datacenter/otlp/mapping.ts';
import { readMetrics } from '../../../../../src/trust/datacenter/otlp/read-metrics.ts';
import {
  at,
  counter,
  cumulative,
  gauge,
  HOUR,
  MINUTE,
  metricsOf,
  T0,
  temperature,
} from '../../../../support/otlp.ts';

const metricsIn = (body: JsonObject) => inOneGo(readMetrics(body));

const SOURCE: Source = { clusterId: 'hall-1', instanceId: 'rack-01', origin: 'live-instrument', meter: {} };
const NOW = T0 + 400 * 24 * HOUR;
const NONE: ReadonlyMap<string, Reading> = new Map();

/** What metrics of one instance become; readings of earlier requests are `last`. */
function mapped(metrics: readonly JsonObject[], last = NONE, now = NOW, meter: Source['meter'] = {}) {
  const [resource] = metricsIn(metricsOf({}, metrics));
  const { telemetry, readings, baselines, refused } = mapInstance(
    { ...SOURCE, meter },
    resource?.metrics ?? [],
    last,
    now,
  );
  return {
    items: telemetry.map(({ telemetry: { window_start, window_end, ...item }, points }) => {
      const { cluster_id, instance_id, origin, telemetry_source, event_type, ...values } = item;
      return {
        window: [Date.parse(window_start) - T0, Date.parse(window_end) - T0],
        type: event_type,
        points,
        values,
      };
    }),
    readings: new Map([...last, ...readings]),
    baselines,
    refused: Object.fromEntries(refused),
  };
}

/** One item over the first hour. */
const hourOf = (values: object, points: number, type: TelemetryEvent = 'HARDWARE_POWER_VALIDATION') => [
  { window: [0, HOUR], type, points, values },
];

describe('A counter with delta temporality', () => {
  test('is one item over its interval, with the mean power of it', () => {
    const { items, refused } = mapped([counter('hw.host.energy', 'J', [[0, HOUR, 36_000_000]])]);
    expect(items).toEqual(hourOf({ it_energy_kwh: 10, measured_power_avg_w: 10_000 }, 1));
    expect(refused).toEqual({});
  });

  test('has the role and the category that its resource states', () => {
    const meter = { meter_role: 'it', pue_category: 2 } as const;
    const energy = counter('hw.host.energy', 'J', [[0, HOUR, 36_000_000]]);
    expect(mapped([energy], NONE, NOW, meter).items[0]?.values).toMatchObject(meter);
  });

  test.each([
    ['J', 36_000_000],
    ['kJ', 36_000],
    ['MJ', 36],
    ['GJ', 0.036],
    ['W.h', 10_000],
    ['Wh', 10_000],
    ['kW.h', 10],
    ['kWh', 10],
    ['MW.h', 0.01],
    ['MWh', 0.01],
  ])('in %s becomes kWh', (unit, value) => {
    const { items } = mapped([counter('hw.host.energy', unit, [[0, HOUR, value]])]);
    expect(items[0]?.values.it_energy_kwh).toBe(10);
  });

  test.each([
    ['L', 12.5],
    ['l', 12.5],
    ['mL', 12_500],
    ['m3', 0.0125],
  ])('of water in %s becomes litres', (unit, value) => {
    const { items } = mapped([
      counter('countersign.water', unit, [[0, HOUR, value]]),
      counter('countersign.facility.energy', 'kW.h', [[0, HOUR, 1]]),
    ]);
    expect(items).toEqual(hourOf({ water_l: 12.5, facility_energy_kwh: 1 }, 2));
  });

  test.each(['', 'j', 'kwh', 'MWH', 'joules', 'W', '1'])('in the unit "%s" is refused', (unit) => {
    const { items, refused } = mapped([counter('hw.host.energy', unit, [[0, HOUR, 1]])]);
    expect(items).toEqual([]);
    expect(Object.entries(refused)).toEqual([
      [expect.stringContaining(`hw.host.energy has the unit "${unit}" instead of one of J, kJ`), 1],
    ]);
  });

  test('is one item for intervals that follow each other', () => {
    const points = [0, 1, 2].map((n) => [n * 20 * MINUTE, (n + 1) * 20 * MINUTE, 2] as const);
    const { items } = mapped([counter('hw.host.energy', 'kW.h', points)]);
    expect(items).toEqual(hourOf({ it_energy_kwh: 6, measured_power_avg_w: 6000 }, 3));
  });

  test('is two items for intervals with a gap, and for intervals of two days', () => {
    const gap = mapped([
      counter('hw.host.energy', 'kW.h', [
        [0, 10 * MINUTE, 1],
        [20 * MINUTE, 30 * MINUTE, 1],
      ]),
    ]);
    expect(gap.items.map(({ window }) => window)).toEqual([
      [0, 10 * MINUTE],
      [20 * MINUTE, 30 * MINUTE],
    ]);
    const midnight = 12 * HOUR;
    const days = mapped([
      counter('hw.host.energy', 'kW.h', [
        [midnight - HOUR, midnight, 1],
        [midnight, midnight + HOUR, 1],
      ]),
    ]);
    expect(days.items).toHaveLength(2);
  });

  test('gives the same items when it is sent again', () => {
    const metrics = [
      counter('hw.host.energy', 'J', [[0, HOUR, 36_000_000]]),
      gauge('hw.host.power', 'W', [[HOUR, 9000]]),
      temperature('INLET', [[HOUR, 22]]),
    ];
    const first = mapped(metrics);
    expect(mapped(metrics, first.readings).items).toEqual(first.items);
  });

  test('sums the series of several machines in one instance', () => {
    const { items } = mapped([
      counter('hw.host.energy', 'kW.h', [[0, HOUR, 1]], { 'hw.id': 'a' }),
      counter('hw.host.energy', 'kW.h', [[0, HOUR, 2]], { 'hw.id': 'b' }),
    ]);
    expect(items).toEqual(hourOf({ it_energy_kwh: 3, measured_power_avg_w: 3000 }, 2));
  });

  test('counts the same energy once when two metrics report it', () => {
    const { items, refused } = mapped([
      counter('hw.host.energy', 'kW.h', [[0, HOUR, 1]]),
      counter('countersign.it.energy', 'kW.h', [[0, HOUR, 1]]),
    ]);
    expect(items[0]?.values.it_energy_kwh).toBe(1);
    expect(refused).toEqual({
      'countersign.it.energy of the scope "test" is already reported by hw.host.energy of the scope "test"': 1,
    });
  });
});

describe('A counter with cumulative temporality', () => {
  const start = -100 * HOUR;
  const read = (values: readonly (readonly [number, number])[], last = NONE, from = start) =>
    mapped([cumulative('hw.host.energy', 'kW.h', from, values)], last);

  test('counts nothing at its first reading, then the difference to the last reading', () => {
    const first = read([[0, 5000]]);
    expect(first).toMatchObject({ items: [], baselines: 1, refused: {} });
    const second = read([[HOUR, 5010]], first.readings);
    expect(second.items).toEqual(hourOf({ it_energy_kwh: 10, measured_power_avg_w: 10_000 }, 1));
    expect(second.baselines).toBe(0);
  });

  test('counts nothing when readings are sent again, or arrive out of order', () => {
    const { readings } = read([
      [0, 5000],
      [HOUR, 5010],
    ]);
    for (const value of [5010, 5005, 9999, 0]) {
      expect(read([[HOUR, value]], readings)).toMatchObject({ items: [], baselines: 0, refused: {} });
      expect(read([[HOUR / 2, value]], readings)).toMatchObject({ items: [], baselines: 0 });
    }
  });

  test('counts nothing across a reset: a lower value, or a start after the last reading', () => {
    const { readings } = read([[0, 5000]]);
    expect(read([[HOUR, 3]], readings)).toMatchObject({ items: [], baselines: 1 });
    expect(read([[HOUR, 6000]], readings, HOUR / 2)).toMatchObject({ items: [], baselines: 1 });
    const after = read([[HOUR, 3]], readings);
    expect(read([[2 * HOUR, 4]], after.readings).items).toMatchObject([{ values: { it_energy_kwh: 1 } }]);
  });

  test('tolerates a start that moves a little, as of exporters that compute it from the uptime', () => {
    const { readings } = read([[0, 5000]]);
    expect(read([[HOUR, 5010]], readings, start + 7).items).toHaveLength(1);
  });

  test('counts across an interruption of up to 31 days', () => {
    const { readings } = read([[0, 5000]]);
    const day = 24 * HOUR;
    expect(read([[31 * day, 5010]], readings).items).toHaveLength(1);
    expect(read([[31 * day + 1, 5010]], readings)).toMatchObject({ items: [], baselines: 1 });
  });

  test('with an unknown start counts from its second reading', () => {
    const { items, baselines } = read(
      [
        [0, 7],
        [HOUR, 8],
      ],
      NONE,
      -T0,
    );
    expect(items).toHaveLength(1);
    expect(baselines).toBe(1);
  });

  test('keeps a reading for each series', () => {
    const metrics = (time: number, values: readonly [number, number]) =>
      ['a', 'b'].map((id, index) =>
        cumulative('hw.host.energy', 'kW.h', start, [[time, values[index] ?? 0]], { 'hw.id': id }),
      );
    const first = mapped(metrics(0, [10, 1000]));
    const second = mapped(metrics(HOUR, [11, 1002]), first.readings);
    expect(second.items).toEqual(hourOf({ it_energy_kwh: 3, measured_power_avg_w: 3000 }, 2));
  });

  test('has at most 64 series in an instance', () => {
    const metrics = Array.from({ length: 65 }, (_, n) =>
      cumulative('hw.host.energy', 'J', start, [[0, 1]], { 'hw.id': String(n) }),
    );
    const { readings, refused } = mapped(metrics);
    // And the time of the newest one of all.
    expect(readings.size).toBe(64 + 1);
    expect(mapped(metrics, readings).refused).toEqual(refused);
    expect(refused).toEqual({ 'hw.host.energy has more than 64 series in one instance': 1 });
  });
});

describe('Gauges', () => {
  test('in the window of a counter belong to its item', () => {
    const { items, refused } = mapped([
      counter('hw.host.energy', 'kW.h', [[0, HOUR, 10]]),
      gauge('hw.host.power', 'W', [[HOUR, 17_000]]),
      gauge('hw.host.ambient_temperature', 'Cel', [
        [HOUR / 2, 20],
        [HOUR, 23],
      ]),
      temperature('CPU0_DIE', [
        [HOUR / 2, 71],
        [HOUR, 64],
      ]),
      temperature('GPU1_DIE', [[HOUR, 80.5]]),
      gauge('countersign.nameplate.power', 'kW', [[HOUR, 20]]),
      gauge('countersign.grid.carbon_intensity', 'g/kW.h', [[HOUR, 300.5]]),
    ]);
    expect(refused).toEqual({});
    expect(items).toEqual(
      hourOf(
        {
          it_energy_kwh: 10,
          measured_power_avg_w: 10_000,
          inlet_temp_c: 21.5,
          peak_junction_temp_c: 80.5,
          baseline_nameplate_w: 20_000,
          grid_carbon_intensity_g_per_kwh: 300.5,
        },
        9,
      ),
    );
  });

  test('of power with another unit than the counter stay, so that the item is refused', () => {
    for (const watts of [10, 10_000_000]) {
      const { items } = mapped([
        counter('hw.host.energy', 'kW.h', [[0, HOUR, 10]]),
        gauge('hw.host.power', 'W', [[HOUR, watts]]),
      ]);
      expect(items[0]?.values.measured_power_avg_w).toBe(watts);
    }
  });

  test('without a counter are valid since the sample before, from the second one', () => {
    const first = mapped([gauge('hw.host.power', 'W', [[0, 100]])]);
    expect(first).toMatchObject({ items: [], baselines: 1, refused: {} });
    const second = mapped([gauge('hw.host.power', 'W', [[HOUR, 300]])], first.readings);
    expect(second.items).toEqual(hourOf({ measured_power_avg_w: 300 }, 1));
    expect(mapped([gauge('hw.host.power', 'W', [[HOUR, 300]])], second.readings).items).toEqual([]);
  });

  test('without a counter are one item for samples without a gap of more than an hour', () => {
    const times = [0, HOUR / 2, HOUR, 2 * HOUR + 1, 3 * HOUR];
    const { items, baselines } = mapped([
      gauge(
        'hw.host.power',
        'W',
        times.map((time, n) => [time, n * 100]),
      ),
    ]);
    expect(baselines).toBe(2);
    expect(items).toMatchObject([
      { window: [0, HOUR], values: { measured_power_avg_w: 150 } },
      { window: [2 * HOUR + 1, 3 * HOUR], values: { measured_power_avg_w: 400 } },
    ]);
  });

  test('of temperatures only are a thermal audit', () => {
    const { items } = mapped([
      temperature('inlet', [
        [0, 20],
        [HOUR, 22],
      ]),
      temperature('CPU0', [[HOUR, 60]]),
    ]);
    expect(items).toEqual(hourOf({ inlet_temp_c: 22, peak_junction_temp_c: 60 }, 2, 'THERMAL_SAFETY_AUDIT'));
  });

  test.each([
    ['delta', counter('hw.host.energy', 'kW.h', [[0, HOUR, 10]])],
    ['cumulative', cumulative('hw.host.energy', 'kW.h', -HOUR, [[HOUR, 10]])],
  ])(
    'of power are no item of an instance with %s counters, since two items would count its power twice',
    (_form, energy) => {
      const known = mapped([energy]).readings;
      const { items, refused } = mapped(
        [
          gauge('hw.host.power', 'W', [
            [2 * HOUR, 1],
            [2.5 * HOUR, 1],
          ]),
          temperature('INLET', [
            [2 * HOUR, 20],
            [2.5 * HOUR, 20],
          ]),
        ],
        known,
      );
      expect(refused).toEqual({});
      expect(items).toMatchObject([{ type: 'THERMAL_SAFETY_AUDIT', values: { inlet_temp_c: 20 } }]);
    },
  );

  test('of power add up over the machines of an instance', () => {
    const power = (id: string, watts: readonly [number, number]) =>
      gauge(
        'hw.host.power',
        'W',
        [
          [HOUR / 2, watts[0]],
          [HOUR, watts[1]],
        ],
        { 'hw.id': id },
      );
    const { items } = mapped([
      power('a', [100, 200]),
      power('b', [1000, 2000]),
      gauge('hw.host.power', 'W', [[0, 0]]),
    ]);
    expect(items[0]?.values).toEqual({ measured_power_avg_w: 1650 });
  });

  test.each([
    ['INLET', 'inlet_temp_c'],
    ['Inlet Temp', 'inlet_temp_c'],
    ['FRONT_INTAKE', 'inlet_temp_c'],
    ['AMBIENT', 'inlet_temp_c'],
    ['CPU0_DIE', 'peak_junction_temp_c'],
    ['cpu0', 'peak_junction_temp_c'],
    ['GPU', 'peak_junction_temp_c'],
    ['gpu hotspot', 'peak_junction_temp_c'],
    ['Junction', 'peak_junction_temp_c'],
  ])('of the sensor location %s are %s', (location, member) => {
    const { items } = mapped([
      temperature(location, [
        [0, 30],
        [HOUR, 30],
      ]),
    ]);
    expect(items[0]?.values).toEqual({ [member]: 30 });
  });

  test.each(['', 'EXHAUST', 'MOTHERBOARD', 'ps1', 'DIMM_A1', 'OUTLET'])(
    'of the sensor location "%s" are refused',
    (location) => {
      const { items, refused } = mapped([
        temperature(location, [
          [0, 30],
          [HOUR, 30],
        ]),
      ]);
      expect(items).toEqual([]);
      expect(Object.values(refused)).toEqual([2]);
    },
  );

  test.each([
    ['K', 293.15],
    ['Cel', 20],
    ['°C', 20],
  ])('of temperature in %s become degrees Celsius', (unit, value) => {
    const { items } = mapped([
      gauge('hw.host.ambient_temperature', unit, [
        [0, value],
        [HOUR, value],
      ]),
    ]);
    expect(items[0]?.values).toEqual({ inlet_temp_c: 20 });
  });

  test('that only say something next to others are refused without them', () => {
    const { items, refused } = mapped([
      gauge('countersign.nameplate.power', 'W', [
        [0, 1],
        [HOUR, 1],
      ]),
    ]);
    expect(items).toEqual([]);
    expect(refused).toEqual({
      'baseline_nameplate_w needs a counter or a gauge of the same instance in the request': 2,
    });
  });
});

describe('Data points that cannot be are refused:', () => {
  const refusals: [what: string, metrics: JsonObject[], reason: string, points: number][] = [
    ['an unknown metric', [gauge('system.cpu.time', 's', [[0, 1]])], '"system.cpu.time" has no mapping', 1],
    [
      'a metric called as a member of every object',
      [gauge('constructor', 's', [[0, 1]])],
      '"constructor" has no mapping',
      1,
    ],
    [
      'the energy of a component',
      [counter('hw.energy', 'J', [[0, 1, 1]])],
      'hw.energy is of a component: send hw.host.energy, which contains it',
      1,
    ],
    [
      'a histogram',
      [{ name: 'hw.host.energy', unit: 'J', histogram: { dataPoints: [{}, {}] } }],
      'hw.host.energy is not a monotonic sum with delta or cumulative temporality',
      2,
    ],
    [
      'a gauge of energy',
      [gauge('hw.host.energy', 'J', [[0, 1]])],
      'hw.host.energy is not a monotonic sum with delta or cumulative temporality',
      1,
    ],
    ['a counter of power', [counter('hw.host.power', 'W', [[0, 1, 1]])], 'hw.host.power is not a gauge', 1],
    [
      'a counter that can fall',
      [
        {
          ...counter('hw.host.energy', 'J', [[0, 1, 1]]),
          sum: {
            aggregationTemporality: 1,
            isMonotonic: false,
            dataPoints: [{ timeUnixNano: at(1), asInt: 1 }],
          },
        },
      ],
      'hw.host.energy is not a monotonic sum with delta or cumulative temporality',
      1,
    ],
    [
      'a negative counter',
      [counter('hw.host.energy', 'J', [[0, HOUR, -1]])],
      'hw.host.energy is a counter and negative',
      1,
    ],
    [
      'a counter above what any meter shows',
      [cumulative('hw.host.energy', 'MW.h', 0, [[HOUR, 1e304]])],
      'hw.host.energy is above 10000000000000 in the unit of its member',
      1,
    ],
    ['NaN', [counter('hw.host.energy', 'J', [[0, HOUR, 'NaN']])], 'hw.host.energy is not a finite number', 1],
    [
      'infinity',
      [counter('hw.host.energy', 'J', [[0, HOUR, 'Infinity']])],
      'hw.host.energy is not a finite number',
      1,
    ],
    [
      'a number beyond doubles',
      [gauge('hw.host.power', 'W', [[0, '1e309']])],
      'hw.host.power is not a finite number',
      1,
    ],
    ['an interval without a start', [cumulativeAsDelta()], 'hw.host.energy has no startTimeUnixNano', 1],
    [
      'an empty interval',
      [counter('hw.host.energy', 'J', [[HOUR, HOUR, 1]])],
      'hw.host.energy has a startTimeUnixNano that is not before its timeUnixNano',
      1,
    ],
    [
      'a reversed interval',
      [counter('hw.host.energy', 'J', [[HOUR, 0, 1]])],
      'hw.host.energy has a startTimeUnixNano that is not before its timeUnixNano',
      1,
    ],
    [
      'intervals of one series that overlap',
      [
        counter('hw.host.energy', 'J', [
          [0, HOUR, 1],
          [HOUR / 2, 2 * HOUR, 1],
        ]),
      ],
      'hw.host.energy overlaps another data point of the same series',
      1,
    ],
    [
      'intervals of two counters that overlap',
      [counter('hw.host.energy', 'J', [[0, HOUR, 1]]), counter('countersign.water', 'L', [[1, HOUR, 1]])],
      'water_l: the window overlaps the window of another counter',
      1,
    ],
    [
      'the future',
      [gauge('hw.host.power', 'W', [[401 * 24 * HOUR, 1]])],
      'hw.host.power is in the future',
      1,
    ],
    [
      'the last century',
      [gauge('hw.host.power', 'W', [[-T0 + 1, 1]])],
      'hw.host.power is from before the year 2000',
      1,
    ],
    [
      'energy above 1 TWh',
      [counter('hw.host.energy', 'MWh', [[0, HOUR, 2e6]])],
      'it_energy_kwh would be 2000000000, and must be from 0 to 1000000000: check the unit',
      1,
    ],
    [
      'a junction in kelvin that is called Celsius',
      [
        temperature('CPU0', [
          [0, 340],
          [HOUR, 340],
        ]),
      ],
      'peak_junction_temp_c would be 340, and must be from 0 to 115: check the unit',
      1,
    ],
    [
      'a series that changes its unit',
      [counter('hw.host.energy', 'J', [[0, HOUR, 1]]), counter('hw.host.energy', 'kJ', [[0, HOUR, 1]])],
      'hw.host.energy changes its unit or temporality within the request',
      1,
    ],
  ];
  test.each(refusals)('%s', (_what, metrics, reason, points) => {
    expect(mapped(metrics).refused).toEqual({ [reason]: points });
  });

  test('but a point without a recorded value is none', () => {
    const { items, refused } = mapped([
      {
        name: 'hw.host.power',
        unit: 'W',
        gauge: { dataPoints: [{ timeUnixNano: at(0), flags: 1, asDouble: 5 }] },
      },
      {
        name: 'hw.host.energy',
        unit: 'J',
        sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ timeUnixNano: at(0) }] },
      },
    ]);
    expect({ items, refused }).toEqual({ items: [], refused: {} });
  });
});

function cumulativeAsDelta(): JsonObject {
  const { name, unit } = counter('hw.host.energy', 'J', []);
  return {
    name: name ?? '',
    unit: unit ?? '',
    sum: {
      aggregationTemporality: 1,
      isMonotonic: true,
      dataPoints: [{ timeUnixNano: at(HOUR), asInt: '5' }],
    },
  };
}

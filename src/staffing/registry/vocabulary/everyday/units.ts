import type { Setting } from './setting.ts';

/** The settings that mean nurses when nothing else is named. */
export const UNITS: readonly Setting[] = [
  { names: 'icu er, icu ed', means: ['Critical Care Medicine|Emergency', 'Critical Care|Emergency Care'] },
  {
    names:
      'picu, pediatric icu, pediatric intensive care, pediatric intensive care unit, ' +
      'pediatric critical care, pediatric cvicu, pcicu',
    means: [
      'Pediatrics, Critical Care',
      'Neonatal/Pediatrics',
      'Nutrition, Pediatric Critical Care',
      'Pediatrics',
    ],
  },
  {
    names: 'nicu picu',
    means: [
      'Neonatal Intensive Care|Pediatrics',
      'Neonatal, Critical Care|Pediatrics, Critical Care',
      'Neonatal/Pediatrics',
    ],
  },
  {
    names:
      'nicu, neonatal icu, neonatal intensive care, neonatal intensive care unit, level 3 nicu, level iii nicu',
    means: [
      'Neonatal Intensive Care',
      'Neonatal|Neonatal, Critical Care',
      'Neonatal/Pediatrics',
      'Pediatrics',
    ],
  },
  {
    names: 'nursery, newborn nursery, well baby, well baby nursery, special care nursery, scn',
    means: ['Neonatal, Low-Risk', 'Neonatal', 'Neonatal/Pediatrics'],
  },
  {
    names: 'neonatal, newborn, neonate',
    means: [
      'Neonatal Intensive Care|Neonatal, Low-Risk',
      'Neonatal|Neonatal, Critical Care',
      'Neonatal/Pediatrics',
    ],
  },
  {
    names:
      'icu, ccu, micu, sicu, cvicu, cticu, csicu, msicu, tsicu, ticu, nsicu, neuro icu, neuroicu, ' +
      'trauma icu, cardiac icu, surgical icu, medical icu, burn icu, ' +
      'bicu, cvccu, icu step down, intensive care, intensive care unit, critical care, ' +
      'critical care unit, ccrn, eicu, tele icu, cardiothoracic icu, adult icu, icu float, ' +
      'coronary care',
    means: ['Critical Care Medicine', 'Critical Care'],
  },
  {
    names:
      'er, ed, emergency, emergency room, emergency department, emergency dept, emergency care, ' +
      'accident emergency, emergency medicine, pediatric er, pediatric ed, pediatric emergency, ' +
      'trauma er, trauma',
    means: ['Emergency', 'Emergency Care', 'Emergency Medicine'],
  },
  {
    names:
      'ldrp, ld, l d, labor delivery, labor, birthing, birth center, birthing center, ' +
      'obstetric inpatient, ld postpartum, labor delivery postpartum',
    means: ['Obstetric, Inpatient', 'Obstetrics & Gynecology', 'Perinatal'],
  },
  {
    names:
      'postpartum, post partum, mother baby, mom baby, couplet care, couplet, maternal newborn, ' +
      'maternity, maternal child, postpartum mother baby, pp',
    means: ['Maternal Newborn', 'Obstetrics & Gynecology', 'Perinatal'],
  },
  {
    names: 'antepartum, ante partum, high risk ob, high risk obstetric, high risk antepartum',
    means: ['Obstetric, High-Risk', 'Obstetrics & Gynecology', 'Perinatal'],
  },
  {
    names:
      'med surg, medical surgical, ms, medsurg, med surg tele, ms tele, medical surgical telemetry, ' +
      'ortho med surg',
    means: ['Medical-Surgical'],
  },
  { names: 'pd, peritoneal dialysis, peritoneal', means: ['Dialysis, Peritoneal'] },
  {
    names: 'dialysis, hemodialysis, hd, acute dialysis, chronic dialysis, home dialysis, hemo',
    means: ['Hemodialysis|Dialysis, Peritoneal', 'Nutrition, Renal', 'Nephrology'],
  },
  {
    names: 'hospice, palliative care, palliative, hospice palliative care, end life care, hospice home care',
    means: ['Hospice', 'Palliative/Hospice'],
  },
  {
    names: 'home health, home care, hh, visiting, home infusion, private duty, pdn, home health visit',
    means: ['Home Health'],
  },
  {
    names: 'child psych, child adolescent psych, pediatric psych, adolescent psych, child psychiatric',
    means: [
      'Psychiatric/Mental Health, Child & Adolescent',
      'Psychiatric/Mental Health',
      'Mental Health',
      'Psychiatric',
      'Clinical Child & Adolescent',
    ],
  },
  {
    names:
      'psych, psychiatric, psychiatric mental health, mental health, behavioral health, behavioral, ' +
      'bh, bhu, geropsych, geri psych, adult psych, inpatient psych, psych mental health, ' +
      'psychiatric unit',
    means: [
      'Psychiatric/Mental Health|Psychiatric/Mental Health, Adult|Psychiatric/Mental Health, ' +
        'Child & Adolescent',
      'Mental Health',
      'Psychiatric',
      'Clinical',
    ],
  },
  {
    names:
      'detox, substance abuse, addiction, sud, chemical dependency, drug alcohol, substance use, ' +
      'substance use disorder, methadone, mat, recovery center',
    means: ['Addiction (Substance Use Disorder)'],
  },
  {
    names: 'cardiac rehab, cardiac rehabilitation',
    means: ['Cardiac Rehabilitation', 'Pulmonary Rehabilitation'],
  },
  { names: 'pulmonary rehab', means: ['Pulmonary Rehabilitation'] },
  {
    names: 'rehab, rehabilitation, inpatient rehab, irf, acute rehab, acute inpatient rehab, rehab hospital',
    means: ['Rehabilitation', 'Physical Rehabilitation'],
  },
  {
    names: 'wocn, cwocn, wound ostomy, wound ostomy continence',
    means: ['Wound Care|Ostomy Care|Continence Care'],
  },
  { names: 'wound care, wound, wcc, wound clinic', means: ['Wound Care'] },
  { names: 'ostomy, ostomy care', means: ['Ostomy Care'] },
  {
    names:
      'case management, utilization review, ur, um, utilization management, discharge planning, ' +
      'discharge planner, navigator, nurse navigator, patient navigator, care management, ' +
      'case manager, care coordination, transitional care',
    means: ['Case Management'],
  },
  { names: 'infection control, infection prevention, infection preventionist', means: ['Infection Control'] },
  {
    names:
      'infusion, iv, iv therapy, infusion center, picc, vascular access, infusion therapy, iv team, ' +
      'picc team, outpatient infusion',
    means: ['Infusion Therapy'],
  },
  { names: 'college health, college', means: ['College Health', 'School'] },
  {
    names: 'school, school based, school health, sped, early intervention, school district',
    means: ['School'],
    anyone: true,
  },
  {
    names: 'flight, air medical, critical care transport, transport, life flight',
    means: ['Flight', 'Patient Transport'],
  },
  {
    names: 'occupational health, occ health, employee health, occupational, industrial',
    means: ['Occupational Health'],
    anyone: true,
  },
  {
    names: 'community health, public health, community',
    means: ['Community Health', 'Community Health/Public Health'],
    anyone: true,
  },
  {
    names: 'staff development, clinical educator, educator, education, professional development',
    means: ['Continuing Education/Staff Development', 'Educational', 'Nutrition, Education'],
  },
  {
    names:
      'ambulatory care, ambulatory, clinic, outpatient clinic, doctor office, physician office, amb care',
    means: ['Ambulatory Care'],
    anyone: true,
  },
  { names: 'urgent care', means: ['Emergency'], anyone: true },
  { names: 'endoscopy, endo, gi lab, endo gi, gastroenterology lab', means: ['Gastroenterology'] },
  {
    names: 'chemo, chemotherapy, bmt, bone marrow transplant, oncology infusion',
    means: ['Oncology', 'Nutrition, Oncology'],
  },
  // The taxonomy has no codes for these; the profession as a whole is meant, but for the few that have one.
  {
    names:
      'or, operating room, periop, perioperative, peri operative, circulator, or circulator, ' +
      'circulating, scrub circulate, cvor, main or, surgical services, surgery center, surgical unit, ' +
      'asc, or scrub, scrub, ' +
      'ambulatory surgery, same day surgery, outpatient surgery, surgery, surgical',
    means: ['Perioperative', 'Surgical'],
  },
  {
    names:
      'pacu, recovery room, recovery, post anesthesia, post anesthesia care, ' +
      'post anesthesia care unit, preop, pre op, post op, postop, pre op pacu, preop pacu, ' +
      'pre post op, or pacu',
    means: ['Perioperative'],
  },
  {
    names:
      'tele, telemetry, step down, stepdown, pcu, imc, imcu, dou, progressive care, ' +
      'progressive care unit, intermediate care, step down unit, sdu, cardiac step down, cardiac tele, ' +
      'pcu tele, tele pcu, tele step down, cardiac telemetry',
    means: [],
  },
  {
    names:
      'cath lab, cardiac cath lab, cardiac cath, ep lab, ccl, cath, interventional, cath lab ir, ' +
      'catheterization lab',
    means: [],
  },
  { names: 'float pool, float, resource pool, resource, rapid response, house float, flex pool', means: [] },
  {
    names:
      'snf, skilled nurse facility, skilled nurse, ltc, long term care, nurse home, ltac, ltach, ltch, ' +
      'long term acute care, sub acute, subacute, alf, assisted living, memory care, rehab snf, tcu, ' +
      'transitional care unit, ltc snf, snf ltc, pace',
    means: ['Long-Term Care', 'SNF/Subacute Care'],
  },
  {
    names:
      'burn, burn unit, transplant coordinator, corrections, correctional, correction, prison, jail, ' +
      'triage, telephone triage, observation, obs, cdu, va, military, camp, mds, mds coordinator, ' +
      'research, clinical research, clinical trial, forensic, sane, legal, legal consultant, quality, ' +
      'insurance, ecmo, vent, ventilator, hyperbaric, informatics, informaticist, quality improvement, ' +
      'allergy clinic, covid, vaccine, immunization, radiology nurse, interventional radiology nurse, ' +
      'ir nurse',
    means: ['Forensic', 'Informatics'],
  },
  {
    names: 'peds, pedi, paeds, ped, pediatric unit',
    means: [
      'Pediatrics',
      'Pediatric Chiropractor',
      'Neonatal/Pediatrics',
      'Nutrition, Pediatric',
      'Clinical Child & Adolescent',
    ],
  },
];

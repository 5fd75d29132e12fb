/**
 * Where people work, with the specializations that the taxonomy has for it. Of the alternatives the first counts of which the
 * profession has any; a profession that has none is understood as a whole. Where several settings are named, the earlier one counts.
 */
export interface Setting {
  /** Separated by commas. */
  names: string;
  /** Alternatives, each one or several specializations separated by bars. */
  means: readonly string[];
  /** True for a place where physicians work as often: beside one of their specialties, physicians are meant. */
  anyone?: true;
}

/** The settings that mean nurses when nothing else is named. */
export const UNITS: readonly Setting[] = [
  { names: 'icu er, icu ed', means: ['Critical Care Medicine|Emergency', 'Critical Care|Emergency Care'] },
  {
    names:
      'picu, pediatric icu, pediatric intensive care, pediatric intensive care unit, pediatric critical care, pediatric cvicu, pcicu',
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
      'icu, ccu, micu, sicu, cvicu, cticu, csicu, msicu, tsicu, ticu, nsicu, neuro icu, neuroicu, trauma icu, cardiac icu, surgical icu, medical icu, burn icu, ' +
      'bicu, cvccu, icu step down, intensive care, intensive care unit, critical care, critical care unit, ccrn, eicu, tele icu, cardiothoracic icu, adult icu, icu float, coronary care',
    means: ['Critical Care Medicine', 'Critical Care'],
  },
  {
    names:
      'er, ed, emergency, emergency room, emergency department, emergency dept, emergency care, accident emergency, pediatric er, pediatric ed, pediatric emergency, trauma er',
    means: ['Emergency', 'Emergency Care', 'Emergency Medicine'],
  },
  {
    names:
      'ldrp, ld, l d, labor delivery, labor, birthing, birth center, birthing center, obstetric inpatient, ld postpartum, labor delivery postpartum',
    means: ['Obstetric, Inpatient', 'Obstetrics & Gynecology', 'Perinatal'],
  },
  {
    names:
      'postpartum, post partum, mother baby, mom baby, couplet care, couplet, maternal newborn, maternity, maternal child, postpartum mother baby, pp',
    means: ['Maternal Newborn', 'Obstetrics & Gynecology', 'Perinatal'],
  },
  {
    names: 'antepartum, ante partum, high risk ob, high risk obstetric, high risk antepartum',
    means: ['Obstetric, High-Risk', 'Obstetrics & Gynecology', 'Perinatal'],
  },
  {
    names:
      'med surg, medical surgical, ms, medsurg, med surg tele, ms tele, medical surgical telemetry, ortho med surg',
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
      'psych, psychiatric, psychiatric mental health, mental health, behavioral health, behavioral, bh, bhu, geropsych, geri psych, adult psych, inpatient psych, psych mental health, psychiatric unit',
    means: [
      'Psychiatric/Mental Health|Psychiatric/Mental Health, Adult|Psychiatric/Mental Health, Child & Adolescent',
      'Mental Health',
      'Psychiatric',
      'Clinical',
    ],
  },
  {
    names:
      'detox, substance abuse, addiction, sud, chemical dependency, drug alcohol, substance use, substance use disorder, methadone, mat, recovery center',
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
  { names: 'wound care, wound, wcc, wound clinic', means: ['Wound Care'] },
  { names: 'ostomy, ostomy care', means: ['Ostomy Care'] },
  {
    names:
      'case management, utilization review, ur, um, utilization management, discharge planning, care management, case manager, care coordination, transitional care',
    means: ['Case Management'],
  },
  { names: 'infection control, infection prevention, infection preventionist', means: ['Infection Control'] },
  {
    names:
      'infusion, iv, iv therapy, infusion center, picc, vascular access, infusion therapy, iv team, picc team, outpatient infusion',
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
      'or, operating room, periop, perioperative, peri operative, circulator, or circulator, circulating, scrub circulate, cvor, main or, surgical services, surgery center, surgical unit, asc, or scrub, scrub, ' +
      'ambulatory surgery, same day surgery, outpatient surgery, surgery, surgical',
    means: ['Perioperative', 'Surgical'],
  },
  {
    names:
      'pacu, recovery room, recovery, post anesthesia, post anesthesia care, post anesthesia care unit, preop, pre op, post op, postop, pre op pacu, preop pacu, pre post op, or pacu',
    means: ['Perioperative'],
  },
  {
    names:
      'tele, telemetry, step down, stepdown, pcu, imc, imcu, dou, progressive care, progressive care unit, intermediate care, step down unit, sdu, cardiac step down, cardiac tele, pcu tele, tele pcu, tele step down, cardiac telemetry',
    means: [],
  },
  {
    names:
      'cath lab, cardiac cath lab, cardiac cath, ep lab, ccl, cath, interventional, cath lab ir, catheterization lab',
    means: [],
  },
  { names: 'float pool, float, resource pool, resource, rapid response, house float, flex pool', means: [] },
  {
    names:
      'snf, skilled nurse facility, skilled nurse, ltc, long term care, nurse home, ltac, ltach, ltch, long term acute care, sub acute, subacute, alf, assisted living, memory care, rehab snf, tcu, transitional care unit, ltc snf, snf ltc, pace',
    means: ['Long-Term Care', 'SNF/Subacute Care'],
  },
  {
    names:
      'burn, burn unit, trauma, corrections, correctional, correction, prison, jail, triage, telephone triage, observation, obs, cdu, va, military, camp, mds, mds coordinator, research, clinical research, clinical trial, forensic, sane, legal, legal consultant, quality, insurance, ecmo, vent, ventilator, hyperbaric, informatics, quality improvement, allergy clinic, covid, vaccine, immunization, radiology nurse, interventional radiology nurse, ir nurse',
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

/** The fields of medicine in which other professions work too; by themselves they mean physicians, or what the taxonomy says. */
export const FIELDS: readonly Setting[] = [
  {
    names: 'pediatric oncology, pediatric heme onc, pediatric hematology oncology',
    means: ['Pediatric Oncology', 'Oncology, Pediatrics', 'Oncology', 'Pediatrics'],
  },
  {
    names: 'oncology, onc, cancer, heme onc, hematology oncology, hematology, med onc, medical oncology',
    means: ['Oncology', 'Nutrition, Oncology'],
  },
  {
    names: 'ob gyn, obgyn, gyn, gynecology, obstetric gynecology',
    means: ['Obstetrics & Gynecology', "Women's Health", "Women's Health Care, Ambulatory"],
  },
  {
    names: 'ob, obstetric, obstetrical, perinatal',
    means: [
      'Obstetric, Inpatient|Obstetric, High-Risk|Maternal Newborn|Perinatal',
      'Obstetrics & Gynecology',
      'Perinatal',
    ],
  },
  {
    names: 'women health, women, woman health, women service',
    means: ["Women's Health", "Women's Health Care, Ambulatory"],
  },
  { names: 'gi, gastroenterology, gastro', means: ['Gastroenterology'] },
  { names: 'nephrology, renal, kidney', means: ['Nephrology', 'Nutrition, Renal', 'Hemodialysis'] },
  {
    names: 'neuro, neurology, neuroscience, stroke, neurosurgery, neurological',
    means: ['Neuroscience', 'Neurology', 'Neurorehabilitation'],
  },
  { names: 'orthopedic surgery, ortho surgery', means: ['Surgical', 'Orthopedic'] },
  { names: 'ortho, orthopedic', means: ['Orthopedic'] },
  { names: 'psychiatry', means: ['Psychiatric/Mental Health', 'Mental Health', 'Psychiatric', 'Clinical'] },
  { names: 'urology, gu', means: ['Urology'] },
  {
    names: 'cardiac, cardiology, cardio, cardiovascular, cv, heart, cardiothoracic, cardiopulmonary',
    means: ['Cardiology', 'Cardiopulmonary'],
  },
  {
    names:
      'ct surgery, cardiothoracic surgery, neurosurgery, general surgery, vascular surgery, trauma surgery, plastic surgery, cardiac surgery',
    means: ['Surgical', 'Plastic Surgery'],
  },
  { names: 'plastic, aesthetic, cosmetic, medspa, med spa, esthetic, injector', means: ['Plastic Surgery'] },
  { names: 'ophthalmology, eye, ophthalmic', means: ['Ophthalmic'] },
  { names: 'ent, otolaryngology', means: ['Otorhinolaryngology & Head-Neck'] },
  { names: 'pain, pain management, pain medicine', means: ['Pain Management'] },
  { names: 'diabetes, diabetic, endocrinology, endocrine', means: ['Diabetes Educator'] },
  {
    names: 'fertility, infertility, ivf, reproductive endocrinology',
    means: ['Reproductive Endocrinology/Infertility'],
  },
  { names: 'lactation', means: ['Lactation Consultant'] },
  { names: 'nutrition', means: ['Nutrition Support', 'Nutrition'] },
  { names: 'transplant, transplantation', means: ['Transplantation', 'Solid Organ Transplant'] },
  { names: 'infectious disease, id', means: ['Infectious Diseases'] },
  { names: 'acute care, acute', means: ['Acute Care', 'General Care'] },
  { names: 'primary care, internal medicine, im', means: ['Primary Care', 'Adult Health'] },
  {
    names: 'family, family practice, family medicine, family health, fp',
    means: ['Family', 'Family Health'],
  },
  { names: 'adult gero, adult gerontology', means: ['Adult Health|Gerontology'] },
  {
    names: 'geriatric, geri, gerontology, gero, elderly, senior care',
    means: [
      'Gerontology',
      'Geriatrics',
      'Geriatric',
      'Geriatric Care',
      'Nutrition, Gerontological',
      'Adult Development & Aging',
    ],
  },
  { names: 'adult', means: ['Adult Health'] },
  { names: 'general practice, general', means: ['General Practice'] },
  { names: 'medicine, medical', means: ['Medical'] },
  {
    names: 'sport, sports medicine',
    means: ['Sports', 'Sports Medicine', 'Exercise & Sports', 'Nutrition, Sports Dietetics'],
  },
  { names: 'weight management, bariatric, obesity', means: ['Nutrition, Obesity and Weight Management'] },
  {
    names:
      'pulmonary, pulmonology, dermatology, derm, rheumatology, radiology, ir, interventional radiology, sleep, hospitalist, hospital medicine, allergy, bariatric, vascular, anesthesia, pathology, hepatology, electrophysiology, ep, heart failure, pulm, nuclear medicine, imaging',
    means: [],
  },
  {
    names: 'pediatric, child, children, kid, adolescent',
    means: [
      'Pediatrics',
      'Pediatric Chiropractor',
      'Neonatal/Pediatrics',
      'Nutrition, Pediatric',
      'Clinical Child & Adolescent',
    ],
  },
];

/** Words of the trade that select nobody; ignored where something else is named. The second list is ignored only if it must be. */
export const IGNORED: readonly string[] = [
  'travel traveler traveller traveling travelling per diem perdiem prn locum locums tenens contract contractor temp temporary perm ' +
    'permanent full part time fulltime parttime strike crisis local agency registry job position opening opportunity assignment shift ' +
    'day night evening weekend noc nocturnal week month hour hr 13 12 8 10 12hr w2 1099 needed wanted need hiring staffing hire immediate asap ' +
    'new grad graduate experienced remote onsite hybrid the a an for at with to looking search float',
  'staff licensed registered certified certification board eligible credentialed bc be cert reg senior sr lead charge head junior jr ' +
    'qualified bls acls pals tncc clinical general level i ii iii iv 1 2 3 inpatient outpatient adult hospital unit department dept ' +
    'floor provider service professional clinician worker telehealth telemedicine virtual tele us usa bsn adn msn dnp phd faap facp facs ' +
    'specialist practice team care acute rotating academic rural private group member',
];

/** Short forms that stand for a longer word where it is beside another one: "peds GI", "derm NP". */
export const SHORT: Readonly<Record<string, string>> = {
  peds: 'pediatric',
  ped: 'pediatric',
  pedi: 'pediatric',
  child: 'pediatric',
  derm: 'dermatology',
  gi: 'gastroenterology',
  gastro: 'gastroenterology',
  pulm: 'pulmonology',
  pulmonary: 'pulmonology',
  endo: 'endocrinology',
  neph: 'nephrology',
  renal: 'nephrology',
  rheum: 'rheumatology',
  onc: 'oncology',
  heme: 'hematology',
  hem: 'hematology',
  uro: 'urology',
  neuro: 'neurology',
  ent: 'otolaryngology',
  psych: 'psychiatry',
  ortho: 'orthopedic',
  anes: 'anesthesiology',
  anesthesia: 'anesthesiology',
  rad: 'radiology',
  rads: 'radiology',
  cardiac: 'cardiology',
  cardio: 'cardiology',
  cards: 'cardiology',
  geri: 'geriatric',
  er: 'emergency',
  ed: 'emergency',
  med: 'medicine',
  surg: 'surgery',
  path: 'pathology',
};

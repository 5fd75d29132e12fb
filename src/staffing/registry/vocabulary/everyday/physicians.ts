import type { Term } from './term.ts';

/** The words for a physician of any specialty. */
export const PHYSICIAN =
  'md, do, doctor, physician, dr, mbbs, medical doctor, medical physician, attending, ' +
  'attending physician, md do, do md, osteopath, osteopathic physician, ' +
  'physician provider, md physician, doctor medicine, consultant physician, medical director';

const CARDIAC_SURGERY = 'Thoracic Surgery (Cardiothoracic Vascular Surgery)';
const PAIN = '208VP0000X|208VP0014X|207LP2900X|2081P2900X|2084P2900X';
const CRITICAL_CARE = '207LC0200X|207RC0200X|207VC0200X|2086S0102X|2084A2900X';
const PALLIATIVE =
  '207LH0002X|207PH0002X|207QH0002X|207RH0002X|207VH0002X|2080H0002X|2081H0002X|2084H0002X|2085H0002X|2086H0002X';

/**
 * What people call the specialties of physicians, by themselves or next to a word for a physician. The more
 * special ones come first.
 */
export const PHYSICIANS: readonly Term[] = [
  // The heart.
  [
    'interventional cardiology, structural heart, structural cardiology, structural heart cardiology',
    '207RI0011X',
  ],
  [
    'electrophysiology, ep, cardiac electrophysiology, ep cardiology, cardiology electrophysiology, cardiac ep',
    '207RC0001X',
  ],
  ['heart failure, advanced heart failure, transplant cardiology, heart failure cardiology', '207RA0001X'],
  ['congenital cardiology, adult congenital heart, congenital heart disease', '207RA0002X'],
  ['pediatric cardiology, pediatric heart', '2080P0202X'],
  [
    'cardiology, cardiac, cardio, heart, cards, invasive cardiology, noninvasive cardiology, ' +
      'non invasive cardiology, general cardiology, cardiovascular, cardiovascular medicine, cv',
    '207RC0000X',
  ],
  [
    'ct surgery, cardiothoracic surgery, cardiac surgery, heart surgery, thoracic surgery, ' +
      'cv surgery, cvt surgery, cardiovascular surgery, cardiothoracic',
    CARDIAC_SURGERY,
  ],

  // Internal medicine.
  ['internist, im, general internal medicine, general internist, internal med, general im', '207R00000X'],
  [
    'pccm, pulm crit, pulm ccm, pulmonary critical care, pulmonology critical care, ' +
      'pulm critical care, pulm cc, pulmonary critical care medicine',
    '207RP1001X|207RC0200X',
  ],
  ['neurocritical care, neurointensivist, neuro intensivist, neuro critical care', '2084A2900X'],
  ['pediatric intensivist, pediatric critical care, pediatric critical care medicine', '2080P0203X'],
  ['neonatology, nicu intensivist, neonatal intensivist, neonatal medicine, neo', '2080N0001X'],
  ['surgical critical care, surgical intensivist, trauma critical care', '2086S0102X'],
  ['intensivist, critical care medicine, intensive care medicine, ccm, adult intensivist', CRITICAL_CARE],
  ['hepatology, liver, transplant hepatology', '207RI0008X|207RT0003X'],
  ['gastroenterology, gi, gastro, gastroenterological, digestive', '207RG0100X'],
  [
    'reproductive endocrinology, rei, infertility, fertility, ' +
      'reproductive endocrinology infertility, fertility specialist',
    '207VE0102X',
  ],
  ['endocrinology, endo, endocrine, endocrinology diabetes, diabetologist', '207RE0101X'],
  ['nephrology, neph, kidney, renal', '207RN0300X'],
  ['rheumatology, rheum, arthritis', '207RR0500X'],
  ['infectious disease, id, infectious, infectiology', '207RI0200X'],
  ['heme onc, hematology oncology, hem onc, hemonc, hemeonc, oncology hematology', '207RH0003X'],
  ['hematology, heme, hem, blood', '207RH0000X|207RH0003X'],
  ['gyn onc, gynecologic oncology, gynecology oncology, gyn oncology, gynecological oncology', '207VX0201X'],
  ['rad onc, radonc, radiation oncology, radiation', '2085R0001X|2085R0203X'],
  ['surgical oncology, surg onc, oncology surgery, cancer surgery', '2086X0206X'],
  [
    'pediatric oncology, pediatric hematology, pediatric heme onc, pediatric hem onc, ' +
      'pediatric hematology oncology',
    '2080P0207X',
  ],
  ['oncology, onc, cancer, medical oncology, med onc', '207RX0202X|207RH0003X'],
  ['pulmonology, pulm, pulmonary, pulmonary medicine, lung, pulmonary disease', '207RP1001X'],
  ['geriatric, geri, gerontology, geriatric medicine, geriatrician', '207QG0300X|207RG0300X'],
  ['sleep, sleep medicine, sleep doctor', '207QS1201X|207RS0012X|207YS0012X|2080S0012X|2084S0012X'],
  [
    'hospitalist, hospital medicine, nocturnist, adult hospitalist, im hospitalist, ' +
      'hospitalist nocturnist, internal medicine hospitalist, family medicine hospitalist',
    '208M00000X',
  ],
  ['pediatric hospitalist', '208000000X'],
  [
    'primary care, pcp, primary care provider, general medicine, primary care medicine',
    '207Q00000X|207R00000X|208D00000X',
  ],
  ['gp, general practitioner, general practice', '208D00000X'],
  ['family medicine, family practice, family, fm, fp, family med, family practitioner', 'Family Medicine'],
  ['allergy immunology, allergy, immunology, asthma', 'Allergy & Immunology|207RA0201X|2080P0201X'],

  // Emergencies.
  [
    'pem, pediatric er, pediatric ed, pediatric emergency, pediatric emergency medicine, ' +
      'pediatric emergency room',
    '207PP0204X|2080P0204X',
  ],
  [
    'emergency medicine, em, emergency med, er medicine, ed medicine, emergency room medicine',
    'Emergency Medicine',
  ],
  ['toxicology, medical toxicology', '207PT0002X|2080T0002X|2083T0002X'],
  ['hyperbaric, hyperbaric medicine, undersea hyperbaric medicine', '207PE0005X|2083P0011X'],

  // Women and children.
  ['mfm, maternal fetal medicine, maternal fetal, perinatology, high risk ob', '207VM0101X'],
  ['urogynecology, urogyn, fpmrs, urogyn surgery, female pelvic medicine', '207VF0040X|2088F0040X'],
  ['ob hospitalist, laborist, obgyn hospitalist, ob gyn hospitalist', '207V00000X|207VX0000X'],
  [
    'ob gyn, obgyn, ob, obstetric gynecology, gyn, gynecology, obstetrician, obstetric, obstetrical, ' +
      'gynecologic, ob gynecology, women health, gynecological',
    'Obstetrics & Gynecology',
  ],
  ['pediatric gi, pediatric gastro, pediatric gastroenterology', '2080P0206X'],
  ['pediatric endo, pediatric endocrine, pediatric endocrinology', '2080P0205X'],
  ['pediatric pulm, pediatric pulmonary, pediatric pulmonology', '2080P0214X'],
  ['pediatric neph, pediatric renal, pediatric nephrology', '2080P0210X'],
  ['pediatric id, pediatric infectious disease', '2080P0208X'],
  ['pediatric allergy', '2080P0201X'],
  ['developmental pediatric, developmental behavioral pediatric, behavioral pediatric', '2080P0006X'],
  ['adolescent medicine', '207QA0000X|207RA0000X|2080A0000X'],
  ['pediatrician, general pediatrician, general pediatric, outpatient pediatrician', '208000000X'],

  // Nerves and minds.
  ['pediatric neurology, child neurology, pediatric neuro', '2084N0402X'],
  ['vascular neurology, stroke neurology, stroke, neurovascular', '2084V0102X'],
  ['neurophysiology', '2084N0600X'],
  ['epileptology, epileptologist, epilepsy', '2084E0001X'],
  [
    'neurology, neuro, neurohospitalist, neuro hospitalist, teleneurology, tele neurology, ' +
      'general neurology, movement disorder neurology, movement disorder, neuro oncology',
    '2084N0400X',
  ],
  [
    'neurosurgery, neuro surgery, neurologic surgery, brain surgery, pediatric neurosurgery',
    'Neurological Surgery',
  ],
  [
    'child psychiatry, adolescent psychiatry, pediatric psychiatry, child adolescent psychiatry, ' +
      'cap, child psych',
    '2084P0804X',
  ],
  ['addiction psychiatry', '2084P0802X'],
  ['geropsychiatry, geriatric psychiatry, geri psychiatry, geropsych', '2084P0805X'],
  ['forensic psychiatry', '2084F0202X'],
  ['consult liaison psychiatry, consultation liaison psychiatry, cl psychiatry', '2084P0015X'],
  ['neuropsychiatry, behavioral neurology', '2084B0040X'],
  ['psychiatry, telepsychiatry, tele psychiatry, general psychiatry, psychiatry telehealth', '2084P0800X'],
  [
    'addiction medicine, addictionology, addiction specialist, addictionologist',
    '207LA0401X|207QA0401X|207RA0401X|2083A0300X|2084A0401X',
  ],

  // Skin, eyes, ears.
  ['mohs, mohs surgery, mohs micrographic surgery, dermatologic surgery', '207ND0101X'],
  ['dermatopathology', '207ND0900X|207ZD0900X'],
  ['dermatology, derm, skin, teledermatology', 'Dermatology'],
  ['retina, retina specialist, retinal specialist, vitreoretinal surgery, retina surgery', '207WX0107X'],
  ['glaucoma, glaucoma specialist', '207WX0009X'],
  ['cornea, cornea specialist', '207WX0120X'],
  ['oculoplastic, oculoplastic surgery', '207WX0200X'],
  ['pediatric ophthalmology', '207WX0110X'],
  [
    'ophthalmology, ophtho, ophthalmic surgery, eye surgery, ophthalmologic, cataract surgery',
    'Ophthalmology',
  ],
  ['pediatric ent, pediatric otolaryngology', '207YP0228X'],
  ['neurotology, otology', '207YX0901X'],
  ['facial plastic surgery, facial plastic', '207YS0123X|207YX0905X'],
  ['head neck surgery', '207YX0007X|2082S0099X'],
  ['otolaryngology, ent, ear nose throat, otorhinolaryngology, oto, ent surgery', 'Otolaryngology'],

  // Surgery.
  ['trauma surgery, trauma, acute care surgery, trauma general surgery', '2086S0127X'],
  ['vascular surgery, vascular', '2086S0129X'],
  ['pediatric surgery, pediatric general surgery', '2086S0120X'],
  [
    'colorectal surgery, colon rectal surgery, proctology, colorectal, crs, colon rectal',
    'Colon & Rectal Surgery',
  ],
  ['transplant surgery, transplant', '204F00000X'],
  ['breast surgery', '208600000X|2086X0206X'],
  [
    'general surgery, bariatric surgery, gs, endocrine surgery, robotic surgery, ' +
      'minimally invasive surgery, general surgery laparoscopic',
    '208600000X',
  ],
  ['hand surgery', '207XS0106X|2082S0105X|2086S0105X'],
  ['foot ankle surgery, foot ankle, foot surgery', '207XX0004X|213ES0103X|213ES0131X'],
  ['spine surgery, spine, orthopedic spine surgery', '207XS0117X|207T00000X'],
  [
    'joint replacement, total joint, joint surgery, adult reconstruction, joint replacement surgery, ' +
      'total joint surgery',
    '207XS0114X',
  ],
  ['orthopedic trauma, ortho trauma, orthopedic trauma surgery', '207XX0801X'],
  ['pediatric ortho, pediatric orthopedic, pediatric orthopedic surgery', '207XP3100X'],
  [
    'sports medicine, sport medicine, sports med, sports',
    '207PS0010X|207QS0010X|207RS0010X|207XX0005X|2080S0010X|2081S0010X|2083S0010X|2084S0010X|204C00000X',
  ],
  [
    'orthopedic surgery, orthopedic, ortho, ortho surgery, orthopod, orthopedist, ' +
      'orthopedic general, orthopaedist',
    'Orthopaedic Surgery',
  ],
  [
    'plastic surgery, plastic, reconstructive surgery, cosmetic surgery, aesthetic surgery, ' +
      'plastic reconstructive surgery',
    'Plastic Surgery|2086S0122X',
  ],
  ['pediatric urology', '2088P0231X'],
  ['urology, gu, uro, urologic surgery, urology surgery', 'Urology'],

  // Imaging, anesthesia, laboratory.
  [
    'interventional radiology, ir, vir, vascular interventional radiology, ' +
      'neurointerventional radiology, neuro ir',
    '2085R0204X',
  ],
  ['neuroradiology, neuro radiology', '2085N0700X|2085D0003X'],
  [
    'diagnostic radiology, dr radiology, msk radiology, breast imaging, breast radiology, ' +
      'mammography radiology',
    '2085R0202X',
  ],
  ['body imaging, body radiology', '2085B0100X'],
  ['pediatric radiology', '2085P0229X'],
  ['nuclear medicine', 'Nuclear Medicine'],
  ['radiology, rads, teleradiology, radiology diagnostic', 'Radiology'],
  ['pediatric anesthesia, pediatric anesthesiology', '207LP3000X'],
  [
    'anesthesiology, anesthesia, anes, anesthesia provider, cardiac anesthesia, ob anesthesia, ' +
      'general anesthesia',
    'Anesthesiology',
  ],
  ['interventional pain, interventional pain management, interventional pain medicine', '208VP0014X'],
  ['pain management, pain, pain mgmt, pain specialist, pain medicine', PAIN],
  ['forensic pathology, medical examiner, coroner', '207ZF0201X'],
  ['surgical pathology, anatomic pathology', '207ZP0101X|207ZP0102X'],
  ['cytopathology', '207ZC0500X'],
  ['hematopathology, hemepath', '207ZH0000X'],
  ['pathology, path', 'Pathology'],

  // Rehabilitation, the end of life, work.
  ['pediatric physiatry, pediatric pm r, pediatric rehab, pediatric rehabilitation medicine', '2081P0010X'],
  [
    'pm r, pmr, physiatry, physical medicine, rehab medicine, rehabilitation medicine, ' +
      'physical medicine rehabilitation',
    'Physical Medicine & Rehabilitation',
  ],
  [
    'palliative medicine, hospice medicine, hospice palliative medicine, palliative care medicine, hpm',
    PALLIATIVE,
  ],
  ['occupational medicine, occ med, occupational med, industrial medicine', '2083X0100X|2083P0500X'],
  ['preventive medicine', 'Preventive Medicine'],
  ['flight surgery, aerospace medicine, aviation medicine', '2083A0100X'],
  ['public health', '2083P0901X'],
  [
    'obesity medicine, weight loss, bariatric medicine, bariatrician, bariatric, weight management',
    '207QB0002X|207RB0002X|207VB0002X|2080B0002X|2083B0002X|2084B0002X',
  ],
  ['genetic, geneticist, medical genetic', 'Medical Genetics'],
  ['vein, vein specialist, phlebology', '202K00000X'],
  ['functional medicine, integrative medicine', '202D00000X'],
  ['omm, omt, osteopathic manipulation', '204D00000X'],
  ['ime', '202C00000X'],
];

/** What settings mean next to a word for a physician; by themselves they mean nurses. */
export const PHYSICIANS_IN: readonly Term[] = [
  ['picu, pediatric icu, pediatric intensive care', '2080P0203X'],
  ['nicu, neonatal icu, neonatal intensive care, neonatal, newborn, nursery', '2080N0001X'],
  ['neuro icu, neuroicu', '2084A2900X'],
  ['trauma icu, surgical icu, sicu', '2086S0102X'],
  [
    'cardiac icu, cvicu, icu, ccu, micu, critical care, intensive care, intensive care unit, medical icu',
    CRITICAL_CARE,
  ],
  ['pediatric urgent care, pediatric primary care, pediatric clinic', '208000000X'],
  ['er, ed, emergency, emergency room, emergency department', 'Emergency Medicine'],
  ['urgent care', '207P00000X|207Q00000X'],
  ['ld, l d, labor delivery, obstetric, mother baby, postpartum, antepartum', 'Obstetrics & Gynecology'],
  ['child psych, pediatric psych, adolescent psych', '2084P0804X'],
  ['psych, psychiatric, behavioral health, mental health, bh', '2084P0800X'],
  [
    'detox, addiction, substance abuse, sud',
    '207LA0401X|207QA0401X|207RA0401X|2083A0300X|2084A0401X|2084P0802X',
  ],
  ['rehab, rehabilitation, inpatient rehab', 'Physical Medicine & Rehabilitation'],
  ['hospice, palliative, palliative care', PALLIATIVE],
  ['dialysis, hemodialysis', '207RN0300X'],
  ['endoscopy', '207RG0100X'],
  ['wound care, wound', '207PE0005X|2083P0011X'],
  ['snf, nursing home, long term care, ltc, ltac, subacute', '207QG0300X|207RG0300X|207R00000X'],
  ['occupational health, employee health, occ health', '2083X0100X|2083P0500X'],
  ['cath lab', '207RI0011X'],
  ['hospital', '208M00000X'],
  ['diabetes, diabetic', '207RE0101X'],
  ['child, baby, pediatric', '208000000X'],
];

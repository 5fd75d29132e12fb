import type { Term } from './term.ts';

const APRN =
  'Nurse Practitioner|Clinical Nurse Specialist|Nurse Anesthetist, Certified Registered|367A00000X';
const RESPIRATORY_THERAPISTS = 'Respiratory Therapist, Registered|Respiratory Therapist, Certified';

/**
 * What `nurse` means by itself; next to a setting it is a registered nurse, because only they have codes for
 * settings.
 */
export const NURSES: Term = ['nurse', 'Registered Nurse|Licensed Practical Nurse|Licensed Vocational Nurse'];

/**
 * What people call professions that are not physicians. The setting in which one works can stand next to each
 * name: "ICU RN". Of two terms with the same name the first counts.
 */
export const PROFESSIONS: readonly Term[] = [
  // Nurses.
  ['rn, registered nurse, nurse, bsn', 'Registered Nurse'],
  ['lpn, practical nurse, lpn nurse', 'Licensed Practical Nurse'],
  ['lvn, vocational nurse, lvn nurse', 'Licensed Vocational Nurse'],
  ['lpn lvn, lpn or lvn, lvn or lpn', 'Licensed Practical Nurse|Licensed Vocational Nurse'],
  ['rn lpn, rn or lpn, lpn or rn', 'Registered Nurse|Licensed Practical Nurse'],
  ['rn lvn, rn or lvn', 'Registered Nurse|Licensed Vocational Nurse'],
  ['rn lpn lvn', 'Registered Nurse|Licensed Practical Nurse|Licensed Vocational Nurse'],
  ['psych tech, psychiatric tech, mental health tech, mht, bht, behavioral health tech, lpt', '167G00000X'],
  ['rnfa, rn first assist, rn first assistant, first assist rn', '163WR0006X'],
  ['lactation consultant, ibclc, lactation', '163WL0100X|174N00000X'],
  ['diabetes educator, cde, cdces, certified diabetes educator', '163WD0400X'],
  [
    'don, adon, director nurse, assistant director nurse, cno, nurse executive, nurse administrator, ' +
      'chief nurse',
    '163WA2000X',
  ],
  [
    'nurse manager, nurse supervisor, house supervisor, nurse director, rn supervisor, nurse leader',
    '163WA2000X',
  ],
  ['ccrn', '163WC0200X'],
  ['cen', '163WE0003X'],
  ['case manager, care manager', '163WC0400X|171M00000X'],
  ['care coordinator, case worker, caseworker', '171M00000X'],
  ['dialysis rn, hemodialysis rn', '163WH0500X|163WD1100X'],

  // Advanced practice.
  ['np, nurse practitioner, arnp, crnp, dnp, cnp', 'Nurse Practitioner'],
  ['aprn, apn, advanced practice nurse, advanced practice registered nurse, advanced practice rn', APRN],
  [
    'app, advanced practice provider, advanced practice clinician, apc, mid level, midlevel',
    `${APRN}|Physician Assistant`,
  ],
  ['np pa, np or pa, pa or np', 'Nurse Practitioner|Physician Assistant'],
  ['fnp, fnp bc, fnp c', '363LF0000X'],
  ['pmhnp, pmhnp bc, psych mental health np', '363LP0808X'],
  ['nnp, nnp bc', '363LN0000X|363LN0005X'],
  ['pnp, cpnp, ppcnp', '363LP0200X'],
  ['acnp, acnpc', '363LA2100X'],
  ['acpnp, cpnp ac', '363LP0222X'],
  ['agacnp, acagnp, adult gero acute care np, adult gerontology acute care np', '363LA2100X'],
  ['anp, adult np', '363LA2200X'],
  ['agnp, agpcnp, agpcnp bc, adult gero np, adult gerontology np', '363LA2200X|363LG0600X'],
  ['gnp', '363LG0600X'],
  ['whnp, whnp bc', '363LW0102X'],
  ['cns, clinical nurse specialist', 'Clinical Nurse Specialist'],
  [
    'crna, nurse anesthetist, nurse anesthesia, nurse anesthesiology, anesthesia nurse, ' +
      'certified rn anesthetist',
    '367500000X',
  ],
  ['cnm, nurse midwife, nurse midwifery, advanced practice midwife', '367A00000X'],
  ['midwifery', '367A00000X|176B00000X'],
  ['cpm, lay midwife', '176B00000X|175M00000X'],
  ['pa, pa c, pac, physician assistant, physician associate, pa physician assistant', 'Physician Assistant'],
  ['caa, aa, anesthesia assistant, anesthesiology assistant', '367H00000X'],

  // Therapists.
  ['pt, physical therapy, dpt, mpt, physio, physiotherapy, pt dpt', 'Physical Therapist'],
  ['pta, lpta, pt assistant, physical therapy assistant', '225200000X'],
  ['ot, occupational therapy, otr, otr l, otrl, otd', 'Occupational Therapist'],
  ['cota, ota, cota l, ot assistant, occupational therapy assistant', 'Occupational Therapy Assistant'],
  ['hand therapy, cht hand, certified hand therapy', '225XH1200X|2251H1200X'],
  [
    'slp, ccc slp, slp ccc, slp cfy, slp cf, cfy, clinical fellow, speech therapy, speech pathology, ' +
      'speech, st',
    '235Z00000X',
  ],
  [
    'slpa, slp assistant, speech therapy assistant, speech language pathology assistant, speech assistant',
    '2355S0801X',
  ],
  ['pt ot, pt or ot', 'Physical Therapist|Occupational Therapist'],
  [
    'therapy, rehab therapy, pt ot slp, pt ot st, rehabilitation therapy',
    'Physical Therapist|Occupational Therapist|235Z00000X',
  ],
  ['pt pta', 'Physical Therapist|225200000X'],
  ['ot cota, ot ota', 'Occupational Therapist|Occupational Therapy Assistant'],
  ['pta cota, cota pta', '225200000X|Occupational Therapy Assistant'],
  ['audiology, aud, au d, ccc a', 'Audiologist'],
  ['hearing aid specialist, hearing aid dispenser, hearing aid fitter, his', '237700000X|237600000X'],
  [
    'rt, respiratory therapy, respiratory, rcp, respiratory care practitioner, respiratory care',
    RESPIRATORY_THERAPISTS,
  ],
  ['rrt', 'Respiratory Therapist, Registered'],
  ['crt', 'Respiratory Therapist, Certified'],
  ['pft tech, pulmonary function tech, pulmonary function', '225B00000X|2278P1006X|2279P1006X'],
  ['athletic trainer, atc, athletic training, at', '2255A2300X'],
  ['massage therapy, lmt, cmt, massage', '225700000X'],
  ['recreation therapy, recreational therapy, rec therapy, ctrs, activity therapy', '225800000X'],
  ['music therapy, mt bc', '225A00000X'],
  ['art therapy', '221700000X'],
  ['exercise physiology, cep', '224Y00000X'],
  ['orthotist, cpo, orthotic', '222Z00000X'],
  ['prosthetist, prosthetic', '224P00000X'],
  ['vocational rehab counselor, rehab counselor', 'Rehabilitation Counselor'],

  // Behavioral health.
  [
    'sw, msw, lmsw, lsw, lbsw, social work, medical social work, medical social worker, hospital social worker',
    'Social Worker',
  ],
  [
    'lcsw, lcsw r, licsw, lisw, lscsw, clinical social work, clinical social worker, ' +
      'psych social worker, mental health social worker',
    '1041C0700X',
  ],
  ['school social work', '1041S0200X'],
  [
    'mft, lmft, marriage family therapy, marriage therapy, marriage counselor, family therapy, couple therapy',
    '106H00000X',
  ],
  ['lpc, lpcc, lcpc, professional counselor', '101YP2500X'],
  ['lmhc, mental health counselor, lchmc, lcmhc', '101YM0800X'],
  ['counselor, counseling', 'Counselor'],
  ['guidance counselor', '101YS0200X'],
  [
    'substance abuse counselor, addiction counselor, drug counselor, chemical dependency counselor, ' +
      'sud counselor, ladc, cadc, ' +
      'lcdc, lac addiction, drug alcohol counselor, alcohol counselor, substance use counselor, cdp',
    '101YA0400X',
  ],
  [
    'mental health therapy, behavioral health therapy, psychotherapy, behavioral therapy, bh therapy, lmhp, ' +
      'licensed therapy, mental health clinician, behavioral health clinician, psych therapy',
    '1041C0700X|106H00000X|101YM0800X|101YP2500X|103TC0700X',
  ],
  ['psychology, psyd, psy d, phd psychology', 'Psychologist'],
  ['neuropsychology, neuropsych', 'Clinical Neuropsychologist'],
  ['school psych, school psychology', '103TS0200X'],
  ['child psychology, pediatric psychology', '103TC2200X'],
  ['bcba, bcba d, behavior analyst, aba analyst, aba, applied behavior analysis', '103K00000X'],
  ['bcaba, assistant behavior analyst', '106E00000X'],
  ['rbt, behavior tech, aba therapy, aba tech, registered behavior tech, behavior therapy', '106S00000X'],
  ['peer specialist, peer support, peer support specialist, recovery coach, cps', '175T00000X'],
  ['health coach, wellness coach', '171400000X'],
  ['chw, community health worker, promotora', '172V00000X'],
  ['health educator', '174H00000X'],

  // Pharmacy and nutrition.
  ['pharmacist, pharmd, pharm d, rph, pharmacy, registered pharmacist', 'Pharmacist'],
  ['clinical pharmacist, clinical pharmacy specialist, clinical pharmacy', '1835P0018X'],
  ['pharmacy tech, pharm tech, cpht, rx tech', '183700000X'],
  [
    'rd, rdn, dietitian, dietetic, registered dietitian, rd ld, rdn ld, clinical dietitian, ' +
      'registered dietitian nutritionist',
    'Dietitian, Registered',
  ],
  ['nutritionist, nutrition, cn', 'Nutritionist'],
  ['dtr, ndtr, dietetic tech, diet tech', '136A00000X'],
  ['dietary manager, cdm, food service manager', '132700000X'],

  // Aides and medics.
  [
    'cna, nurse aide, nurse assistant, certified nurse aide, stna, gna, lna, nac, aide, nurse aid, ' +
      'medication aide, med aide, qma',
    "Nurse's Aide",
  ],
  [
    'pct, patient care tech, ccpct, cpct, nurse tech, patient care assistant, ' +
      'patient care associate, pcna, hospital aide, cna pct, pct cna',
    "Nurse's Aide|374700000X",
  ],
  ['ma, medical assistant, cma, rma, ccma, clinical medical assistant, clinical assistant', '374700000X'],
  ['hha, home health aide, home aide, home care aide, home care worker', '374U00000X'],
  [
    'pca, personal care attendant, personal care aide, personal care assistant, ' +
      'personal care worker, attendant, pcw',
    '3747P1801X|3747A0650X',
  ],
  [
    'caregiver, care giver, direct care worker, dsp, direct support professional',
    '374U00000X|3747P1801X|3747A0650X',
  ],
  ['companion, sitter, patient sitter', '372600000X'],
  ['cna hha, hha cna', "Nurse's Aide|374U00000X"],
  [
    'emt, emergency medical tech, emt paramedic, paramedic emt, ambulance',
    '146N00000X|146M00000X|146L00000X',
  ],
  ['ems, emergency medical service', '146N00000X|146M00000X|146L00000X|146E00000X'],
  ['emt b, emtb, emt basic, basic emt', '146N00000X'],
  ['emt i, aemt, emt intermediate, advanced emt, emt a, emt advanced', '146M00000X'],
  [
    'paramedic, medic, emt p, emtp, flight paramedic, flight medic, critical care paramedic, nrp',
    '146L00000X',
  ],
  ['mobile paramedic, mih paramedic', '146E00000X'],
  ['doula, birth doula', '374J00000X'],
  ['lnha, nha, nursing home administrator, nurse home administrator', '376G00000X'],
  ['interpreter, medical interpreter', '171R00000X'],

  // Teeth, eyes, feet, backs.
  ['dentist, dds, dmd, dental, general dentist, dental provider, family dentist', 'Dentist'],
  ['endodontic', '1223E0200X'],
  ['orthodontic, ortho dentist, orthodontia', '1223X0400X'],
  ['periodontic, perio', '1223P0300X'],
  ['prosthodontic, prostho', '1223P0700X'],
  ['pediatric dentist, pedodontic, child dentist, kid dentist', '1223P0221X'],
  ['oral surgery, omfs, oral maxillofacial surgery, maxillofacial surgery, oms', '1223S0112X|204E00000X'],
  ['oral pathology', '1223P0106X'],
  ['dental anesthesiology, dentist anesthesiology', '1223D0004X'],
  ['dental hygienist, rdh, hygienist, dental hygiene', '124Q00000X'],
  ['dental assistant, cda, rda, edda, efda', '126800000X'],
  ['dental lab tech', '126900000X'],
  ['optometry, od, doctor optometry', 'Optometrist'],
  ['eye doctor, eye md, eye care provider', 'Ophthalmology|Optometrist'],
  ['optician, abo', '156FX1800X'],
  ['ophthalmic tech, coa, cot, comt, eye tech, ophthalmology tech', '156FX1100X|156FX1101X'],
  ['optometric tech, optometry tech', '156FX1202X|156FX1201X'],
  ['podiatry, dpm, foot doctor, doctor podiatric medicine', 'Podiatrist'],
  ['chiropractor, dc, chiropractic, chiro, chiropractic physician', 'Chiropractor'],
  ['acupuncture, acupuncturist, lac', '171100000X'],
  ['naturopath, nd, naturopathic, naturopathic doctor', '175F00000X'],
  ['genetic counselor, cgc, gc, genetic counseling', '170300000X'],
  ['veterinarian, vet, dvm, vmd', 'Veterinarian'],
  ['vet tech, veterinary tech, lvt, cvt vet', '2472V0600X'],
];

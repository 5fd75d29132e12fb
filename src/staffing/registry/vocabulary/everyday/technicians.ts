import type { Term } from './term.ts';

const SONOGRAPHERS = '2471S1302X|2471V0105X|246XS1301X|246XC2903X';
const CATH_LAB = '246XC2901X|2471C1106X|2471C1101X';
const NEURODIAGNOSTICS = '246ZE0500X|2472E0500X|246ZE0600X';
const OTHER_TECHNICIAN = '247200000X';

/** What people call technologists and technicians. `tech` is also technician and technologist. */
export const TECHNICIANS: readonly Term[] = [
  // Imaging.
  [
    'rad tech, radiology tech, radiologic tech, rt r, radiographer, imaging tech, rad technology, arrt',
    'Radiologic Technologist',
  ],
  [
    'xray tech, xray, x ray tech, x ray, x ray technician, radiography, diagnostic radiology tech',
    '247100000X|2471C3402X',
  ],
  [
    'ct tech, ct, cat scan tech, ct scan tech, computed tomography, computed tomography tech, ct scan, rt ct',
    '2471C3401X',
  ],
  ['mri tech, mri, mr tech, magnetic resonance imaging tech, mri scan tech', '2471M1202X'],
  ['ct mri tech, mri ct tech, ct or mri tech', '2471C3401X|2471M1202X'],
  ['ct xray tech, ct x ray tech, xray ct tech', '2471C3401X|247100000X|2471C3402X'],
  [
    'mammo tech, mammography, mammography tech, mammographer, mammo, mammogram tech, breast imaging tech',
    '2471M2300X',
  ],
  [
    'nuc med tech, nuclear medicine tech, nuclear tech, nmt, cnmt, pet tech, pet ct tech, nuc med',
    '2471N0900X',
  ],
  ['dexa tech, bone density tech, bone densitometry tech, dxa tech', '2471B0102X'],
  [
    'ultrasound tech, sonographer, sonography, ultrasound, us tech, ultrasonographer, rdms, dms, ' +
      'diagnostic medical sonographer, ' +
      'medical sonographer, ob sonographer, sono tech, diagnostic medical sonography',
    SONOGRAPHERS,
  ],
  [
    'echo tech, echo, echocardiographer, rdcs, cardiac sonographer, echocardiogram tech, ' +
      'echocardiography, cardiac sonography, rcs',
    '246XS1301X',
  ],
  [
    'vascular tech, vascular sonographer, rvt, vascular sonography, vascular ultrasound tech',
    '2471V0105X|246XC2903X',
  ],
  [
    'ir tech, interventional tech, interventional radiology tech, special procedure tech, vi tech, ' +
      'angio tech, rt vi',
    '2471V0106X|2471C1101X',
  ],
  [
    'cath lab tech, cath tech, cardiac cath tech, cvt, rcis, cardiac cath lab tech, ' +
      'cardiovascular tech, ep tech, ep lab tech, ' +
      'cvl tech, cath lab specialist, ccl tech, cardiac catheterization tech',
    CATH_LAB,
  ],
  ['radiation therapy, rtt, rad therapy, rt t, radiation tech', '2471R0002X'],
  ['dosimetrist, medical dosimetrist, dosimetry, cmd', '2471R0002X'],
  ['medical physicist, physicist, medical physic', '2085R0205X'],
  ['radiologist assistant, radiology assistant, rra, rpa', '243U00000X'],

  // Heart, brain, lungs, kidneys.
  [
    'ekg tech, ecg tech, monitor tech, tele tech, telemetry tech, stress tech, cardiology tech, ' +
      'cardiac tech, ekg, cardiac monitor tech, stress test tech, holter tech',
    '246W00000X',
  ],
  [
    'eeg tech, eeg, neurodiagnostic tech, end tech, reeg t, electroneurodiagnostic tech, neuro tech, ' +
      'neurophysiology tech, ionm, iom tech, intraoperative monitoring tech, cnim',
    NEURODIAGNOSTICS,
  ],
  // The taxonomy has no code for sleep technologists; the electrodiagnostic ones are nearest.
  [
    'sleep tech, polysomnographer, polysomnography, polysomnographic tech, rpsgt, psg tech, ' +
      'sleep lab tech, polysomnography tech',
    NEURODIAGNOSTICS,
  ],
  [
    'dialysis tech, ccht, cht, hemodialysis tech, renal tech, hd tech, nephrology tech, ' +
      'patient care tech dialysis',
    '2472R0900X|246ZN0300X',
  ],
  ['perfusionist, perfusion, ccp, cardiovascular perfusionist', '242T00000X'],

  // Surgery.
  [
    'surgical tech, surg tech, surgery tech, scrub tech, or tech, cst, operating room tech, scrub, ' +
      'cvor tech, ob scrub tech, ' +
      'ob tech, l d tech, ld tech, surgical scrub tech, tsc, surgical technology, cvor scrub tech, ' +
      'or scrub tech, or surgical tech',
    '246ZS0410X',
  ],
  [
    'surgical assistant, surgical first assistant, csfa, csa, sa c, surgery assistant, first assist, ' +
      'surgical first assist, first assistant, cst cfa, cfa',
    '246ZC0007X',
  ],
  ['ortho tech, orthopedic tech, cast tech, orthopedic assistant, ortho assistant', '246ZX2200X'],
  // The taxonomy has no codes for these; they are among other technicians.
  [
    'sterile processing tech, sterile processing, spd tech, spt, cspdt, crcst, sterile tech, ' +
      'central sterile tech, central service tech, spd',
    OTHER_TECHNICIAN,
  ],
  ['endoscopy tech, endo tech, gi tech, anesthesia tech, cer a t, anes tech', OTHER_TECHNICIAN],
  ['biomed tech, bmet, cbet, biomedical tech, biomedical equipment tech, biomed', '2472B0301X'],

  // Laboratory.
  [
    'mls, cls, lab scientist, medical laboratory scientist, clinical laboratory scientist, ' +
      'medical laboratory tech ascp, mt ascp, mls ascp, ' +
      'medical tech, med technologist, clinical lab technologist, lab technologist, ' +
      'medical laboratory technologist, mt',
    '246QM0706X',
  ],
  [
    'mlt, medical lab technician, clinical lab technician, clinical laboratory technician, lab assistant',
    '246RM2200X',
  ],
  [
    'mls mlt, mlt mls, mt mlt, lab tech, lab, med tech, clinical lab tech, medical lab tech, ' +
      'laboratory, hospital lab tech',
    '246QM0706X|246RM2200X',
  ],
  ['phlebotomy, phleb, phlebotomy tech, cpt, phleb tech', '246RP1900X'],
  [
    'histotech, histology, ht ascp, htl, histotechnology, histotechnician, histotechnologist, ' +
      'histology tech, ht, histologist',
    '246QH0600X|246RH0600X',
  ],
  ['cytotech, cytotechnology, cytotechnologist, cytology, cytology tech, cytologist, ct ascp', '246QC2700X'],
  ['microbiology tech, microbiology, micro tech, microbiologist', '246QM0900X'],
  ['blood bank tech, blood bank, blood banker, sbb, blood banking tech', '246QB0000X'],
  ['chemistry tech, clinical chemistry', '246QC1000X'],
  ['hematology tech, heme tech', '246QH0000X'],
  ['pathology assistant, pathologist assistant, grossing tech', '246Q00000X'],
  ['lab manager, lab supervisor, laboratory director', '246QL0900X|246QL0901X|247ZC0005X'],

  // Records.
  [
    'coder, medical coder, cpc, ccs, him coder, coding specialist, inpatient coder, ' +
      'outpatient coder, medical coding',
    '246YC3301X|246YC3302X',
  ],
  ['rhit, him tech, medical record tech, medical records', '247000000X'],
  ['rhia, him director', '246YR1600X'],
  [
    'him, health information management, cdi, cdi specialist, clinical documentation specialist',
    'Specialist/Technologist, Health Information',
  ],

  // Emergency departments employ medics and patient care technicians as technicians.
  [
    'er tech, ed tech, emergency tech, emergency room tech, emergency department tech',
    '146N00000X|146M00000X|146L00000X|374700000X',
  ],
  ['unit tech, tech, hospital tech, float tech, care tech', "Nurse's Aide|374700000X"],
];

import type { Setting } from './setting.ts';

/**
 * The fields of medicine in which other professions work too; by themselves they mean physicians, or what the
 * taxonomy says.
 */
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
      'ct surgery, cardiothoracic surgery, neurosurgery, general surgery, vascular surgery, ' +
      'trauma surgery, plastic surgery, cardiac surgery',
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
  { names: 'medical', means: ['Medical'] },
  {
    names: 'sport, sports medicine',
    means: ['Sports', 'Sports Medicine', 'Exercise & Sports', 'Nutrition, Sports Dietetics'],
  },
  { names: 'weight management, bariatric, obesity', means: ['Nutrition, Obesity and Weight Management'] },
  {
    names:
      'pulmonary, pulmonology, dermatology, derm, rheumatology, radiology, ir, ' +
      'interventional radiology, sleep, hospitalist, hospital medicine, allergy, bariatric, vascular, ' +
      'anesthesia, pathology, hepatology, electrophysiology, ep, heart failure, pulm, ' +
      'nuclear medicine, imaging',
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

import type { Attack } from './attack.ts'
import { bodies } from './attacks/bodies.ts'
import { costlyFormulas } from './attacks/costly-formulas.ts'
import { diskFull } from './attacks/disk-full.ts'
import { flippedPages } from './attacks/flipped-pages.ts'
import { formulasInSchemas } from './attacks/formulas-in-schemas.ts'
import { fuzz } from './attacks/fuzz.ts'
import { growingTexts } from './attacks/growing-texts.ts'
import { kills } from './attacks/kills.ts'
import { largeRecords } from './attacks/large-records.ts'
import { longWork } from './attacks/long-work.ts'
import { manyLinks } from './attacks/many-links.ts'
import { passwords } from './attacks/passwords.ts'
import { postgresKilled } from './attacks/postgres-killed.ts'
import { variedColumns } from './attacks/varied-columns.ts'
import { walks } from './attacks/walks.ts'

/** Every attack, the quick ones first. */
export const attacks: readonly Attack[] = [
  walks,
  formulasInSchemas,
  variedColumns,
  manyLinks,
  bodies,
  passwords,
  fuzz,
  kills,
  flippedPages,
  diskFull,
  postgresKilled,
  growingTexts,
  costlyFormulas,
  largeRecords,
  longWork,
]

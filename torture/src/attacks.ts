import type { Attack } from './attack.ts'
import { bodies } from './attacks/bodies.ts'
import { bulkWrites } from './attacks/bulk-writes.ts'
import { control } from './attacks/control.ts'
import { costlyFormulas } from './attacks/costly-formulas.ts'
import { deepPages } from './attacks/deep-pages.ts'
import { diskFull } from './attacks/disk-full.ts'
import { flippedPages } from './attacks/flipped-pages.ts'
import { formulasInSchemas } from './attacks/formulas-in-schemas.ts'
import { fullUploads } from './attacks/full-uploads.ts'
import { fuzz } from './attacks/fuzz.ts'
import { growingTexts } from './attacks/growing-texts.ts'
import { keptAnswers } from './attacks/kept-answers.ts'
import { killedUploads } from './attacks/killed-uploads.ts'
import { kills } from './attacks/kills.ts'
import { largeRecords } from './attacks/large-records.ts'
import { largeUploads } from './attacks/large-uploads.ts'
import { linkedCells } from './attacks/linked-cells.ts'
import { longWork } from './attacks/long-work.ts'
import { manyConnections } from './attacks/many-connections.ts'
import { manyLinks } from './attacks/many-links.ts'
import { manyNames } from './attacks/many-names.ts'
import { manyUploads } from './attacks/many-uploads.ts'
import { passwords } from './attacks/passwords.ts'
import { pipelines } from './attacks/pipelines.ts'
import { plans } from './attacks/plans.ts'
import { postgresKilled } from './attacks/postgres-killed.ts'
import { slowReaders } from './attacks/slow-readers.ts'
import { variedColumns } from './attacks/varied-columns.ts'
import { variedFormulas } from './attacks/varied-formulas.ts'
import { walks } from './attacks/walks.ts'
import { wideLookups } from './attacks/wide-lookups.ts'

/** Every attack, the quick ones first. */
export const attacks: readonly Attack[] = [
  control,
  walks,
  formulasInSchemas,
  variedColumns,
  manyLinks,
  manyNames,
  bodies,
  passwords,
  manyConnections,
  pipelines,
  slowReaders,
  keptAnswers,
  plans,
  variedFormulas,
  linkedCells,
  bulkWrites,
  deepPages,
  manyUploads,
  largeUploads,
  fuzz,
  kills,
  flippedPages,
  killedUploads,
  diskFull,
  fullUploads,
  postgresKilled,
  growingTexts,
  costlyFormulas,
  wideLookups,
  largeRecords,
  longWork,
]

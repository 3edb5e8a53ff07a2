import type { Benchmark } from './benchmark.ts'
import { addFormula } from './benchmarks/add-formula.ts'
import { changeStructure } from './benchmarks/change-structure.ts'
import { charts } from './benchmarks/charts.ts'
import { convertText } from './benchmarks/convert-text.ts'
import { createOne } from './benchmarks/create-one.ts'
import { deleteRecords } from './benchmarks/delete-records.ts'
import { editLookedUp } from './benchmarks/edit-looked-up.ts'
import { files } from './benchmarks/files.ts'
import { history } from './benchmarks/history.ts'
import { importCsv } from './benchmarks/import-csv.ts'
import { knownCases } from './benchmarks/known-cases.ts'
import { listFound } from './benchmarks/list-found.ts'
import { loadRunways } from './benchmarks/load-runways.ts'
import { move } from './benchmarks/move.ts'
import { pages } from './benchmarks/pages.ts'
import { queries } from './benchmarks/queries.ts'
import { readOne } from './benchmarks/read-one.ts'
import { scale } from './benchmarks/scale.ts'
import { searchNotes } from './benchmarks/search-notes.ts'
import { stalls } from './benchmarks/stalls.ts'
import { start } from './benchmarks/start.ts'
import { updateOne } from './benchmarks/update-one.ts'

export const benchmarks: readonly Benchmark[] = [
  loadRunways,
  importCsv,
  createOne,
  updateOne,
  readOne,
  listFound,
  queries,
  pages,
  searchNotes,
  charts,
  changeStructure,
  addFormula,
  editLookedUp,
  convertText,
  knownCases,
  files,
  deleteRecords,
  history,
  scale,
  stalls,
  start,
  move,
]

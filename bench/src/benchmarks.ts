import type { Benchmark } from './benchmark.ts'
import { changeStructure } from './benchmarks/change-structure.ts'
import { createOne } from './benchmarks/create-one.ts'
import { knownCases } from './benchmarks/known-cases.ts'
import { loadRunways } from './benchmarks/load-runways.ts'
import { readOne } from './benchmarks/read-one.ts'

export const benchmarks: readonly Benchmark[] = [
  loadRunways,
  createOne,
  readOne,
  changeStructure,
  knownCases,
]

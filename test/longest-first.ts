import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take a minute or more, whatever their size: one that begins last would be waited for. */
const longest: readonly string[] = [
  'packages/domain/src/calculations/workspace-model.test.ts',
  'test/differential.test.ts',
  'test/repeatable-calls.test.ts',
  'packages/adapters-sqlite/src/sqlite-store.test.ts',
  'packages/http-express/src/examples.test.ts',
  'test/torture.test.ts',
  'test/permission-matrix.test.ts',
  'test/secrets-written-nowhere.test.ts',
  'test/kept-files.test.ts',
  'packages/domain/src/trash/trash-sequences.test.ts',
  'packages/domain/src/undo/undo-sequences.test.ts',
]

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((path) => moduleId.endsWith(path))
  return rank < 0 ? longest.length : rank
}

/** Begins with the test files that take longest; the others follow in the order that Vitest finds. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

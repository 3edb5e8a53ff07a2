import { limits } from '../limits.ts'
import type { CsvRow } from './csv-reader.ts'
import { asPrimary, type GuessedField, guessField } from './guess-field.ts'

/** A field for each column, by the first rows of a file. */
export function guessColumns(
  count: number,
  rows: readonly CsvRow[],
  timeZone: string,
): readonly GuessedField[] {
  const sample = rows.slice(0, limits.importSampleRows)
  return Array.from({ length: count }, (_, index) => {
    const guessed = guessField(
      sample.map(({ cells }) => cells[index] ?? ''),
      timeZone,
    )
    return index === 0 ? asPrimary(guessed) : guessed
  })
}

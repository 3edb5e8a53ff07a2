import { type AirportTable, countries, navaids, regions, runways } from './airport-tables.ts'
import type { Cells } from './cells-of.ts'

/** Finds the answer to one question by looking at every row once. */
export interface Tally {
  add(cells: Cells): void
  answer(): string
}

export interface Question {
  readonly table: AirportTable
  readonly title: string
  /** A tally that has seen nothing yet. */
  tally(): Tally
}

function count(isCounted: (cells: Cells) => boolean): () => Tally {
  return () => {
    let counted = 0
    return {
      add: (cells) => {
        if (isCounted(cells)) counted++
      },
      answer: () => counted.toLocaleString('en'),
    }
  }
}

function sum(column: string): () => Tally {
  return () => {
    let total = 0
    return {
      add: (cells) => {
        total += cells.number(column) ?? 0
      },
      answer: () => total.toLocaleString('en'),
    }
  }
}

/** The row with the greatest number in the column, the first of equals. */
function greatest(column: string, label: (cells: Cells) => string): () => Tally {
  return () => {
    let best: { value: number; name: string } | undefined
    return {
      add: (cells) => {
        const value = cells.number(column)
        if (value === undefined || value <= (best?.value ?? Number.NEGATIVE_INFINITY)) return
        best = { value, name: label(cells) }
      },
      answer: () => (best ? `${best.name} (${best.value.toLocaleString('en')})` : 'none'),
    }
  }
}

/** The text that stands in the column most often. */
function mostFrequent(column: string): () => Tally {
  return () => {
    const counts = new Map<string, number>()
    return {
      add: (cells) => {
        const text = cells.text(column)
        if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1)
      },
      answer: () => {
        const [top] = [...counts].sort(([, a], [, b]) => b - a)
        return top ? `${top[0]} (${top[1].toLocaleString('en')})` : 'none'
      },
    }
  }
}

export const questions: readonly Question[] = [
  {
    table: countries,
    title: 'African countries',
    tally: count((cells) => cells.text('continent') === 'AF'),
  },
  {
    table: regions,
    title: 'the country with most regions',
    tally: mostFrequent('iso_country'),
  },
  {
    table: navaids,
    title: 'the northernmost navigation aid',
    tally: greatest('latitude_deg', (cells) => cells.text('name')),
  },
  {
    table: navaids,
    title: 'TACAN stations of high power',
    tally: count((cells) => cells.text('type') === 'TACAN' && cells.text('power') === 'HIGH'),
  },
  {
    table: runways,
    title: 'the longest runway in feet',
    tally: greatest('length_ft', (cells) => cells.text('airport_ident')),
  },
  {
    table: runways,
    title: 'lighted runways',
    tally: count((cells) => cells.isChecked('lighted')),
  },
  {
    table: runways,
    title: 'open runways of turf',
    tally: count((cells) => cells.text('surface') === 'TURF' && !cells.isChecked('closed')),
  },
  { table: runways, title: 'feet of runway in all', tally: sum('length_ft') },
]

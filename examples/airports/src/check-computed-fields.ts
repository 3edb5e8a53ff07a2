import type { Api } from 'gateleg/client'
import { type AirportTable, countries, regions } from './airport-tables.ts'
import { type CheckedAnswer, toAnswer } from './check-answers.ts'
import { type CsvRow, readCsv } from './read-csv.ts'
import { type RecordFields, readRecords } from './read-records.ts'

/** What the computed fields of one record have to hold, by name. */
type Expected = Readonly<Record<string, unknown>>

/**
 * Works every value of the fields of `add-computed-fields.ts` out from the files alone, and counts those
 * that are another one on the server. Answers a question by means of the computed fields, too.
 */
export async function checkComputedFields(
  api: Api,
  tableIds: ReadonlyMap<AirportTable, string>,
): Promise<readonly CheckedAnswer[]> {
  const files = {
    countries: await collect(readCsv(countries.file)),
    regions: await collect(readCsv(regions.file)),
  }
  const expected = { countries: expectCountries(files), regions: expectRegions(files) }
  const found = {
    countries: await collect(readRecords(api, tableIds.get(countries) ?? '')),
    regions: await collect(readRecords(api, tableIds.get(regions) ?? '')),
  }
  return [
    ...compare(regions, found.regions, expected.regions),
    ...compare(countries, found.countries, expected.countries),
    {
      title: 'the country with most regions, by its rollup',
      found: mostRegions(found.countries),
      expected: mostRegions(expected.countries),
    },
  ]
}

interface Files {
  readonly countries: readonly CsvRow[]
  readonly regions: readonly CsvRow[]
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

function expectRegions(files: Files): readonly Expected[] {
  const countryByCode = new Map(files.countries.map((country) => [country.code, country]))
  return files.regions.map(({ code, iso_country }) => {
    const country = countryByCode.get(iso_country)
    return {
      country_name: country?.name,
      country_continent: country?.continent,
      label: `${code} in ${country?.name}`,
    }
  })
}

function expectCountries(files: Files): readonly Expected[] {
  const regionsByCountry = Map.groupBy(files.regions, ({ iso_country }) => iso_country)
  return files.countries.map(({ code, name }) => {
    const codes = (regionsByCountry.get(code) ?? []).map((region) => region.code)
    return {
      Regions: codes.join(),
      region_count: codes.length,
      summary: `${name}: ${codes.length === 1 ? '1 region' : `${codes.length} regions`}`,
    }
  })
}

/** For each field the number of records that hold something else; one too many or too few does. */
function compare(
  { name }: AirportTable,
  found: readonly RecordFields[],
  expected: readonly Expected[],
): readonly CheckedAnswer[] {
  const length = Math.max(found.length, expected.length)
  return Object.keys(expected[0] ?? {}).map((field) => {
    const differ = Array.from({ length }, (_, index) => {
      const value = shown(found[index]?.[field])
      return found[index] === undefined || value !== expected[index]?.[field]
    })
    const count = differ.filter((isOther) => isOther).length
    return toAnswer(`values of "${field}" of ${name} that differ`, count, 0)
  })
}

/** Links are shown by their titles. */
function shown(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map(({ title }: { readonly title?: string }) => title).join()
}

function mostRegions(all: readonly RecordFields[]): string {
  const [top] = all.toSorted((a, b) => Number(b.region_count) - Number(a.region_count))
  return `${top?.summary}`
}

import type { Api } from 'gateleg/client'
import { type AirportTable, countries, type NewField, regions } from './airport-tables.ts'

/**
 * Adds fields that are computed from others, to tables that were loaded: to regions what is known of
 * their country, to countries how many regions they have. Answers how many fields there are.
 */
export async function addComputedFields(
  api: Api,
  tableIds: ReadonlyMap<AirportTable, string>,
): Promise<number> {
  const [countriesId = '', regionsId = ''] = [tableIds.get(countries), tableIds.get(regions)]
  const ofCountries = await fieldIdsOf(api, countriesId)
  const ofRegions = await fieldIdsOf(api, regionsId)
  // The link was made in regions; countries show it from the other end, in a field called as the table.
  const toCountry = { foreignTableId: countriesId, linkFieldId: ofRegions.get('iso_country') ?? '' }
  const toRegions = { foreignTableId: regionsId, linkFieldId: ofCountries.get('Regions') ?? '' }
  const lookup = (name: string, type: NewField['type'], column: string): NewField => ({
    name,
    type,
    isLookup: true,
    lookupOptions: { ...toCountry, lookupFieldId: ofCountries.get(column) ?? '' },
  })
  const fieldsOfRegions: readonly NewField[] = [
    lookup('country_name', 'singleLineText', 'name'),
    lookup('country_continent', 'singleSelect', 'continent'),
    { name: 'label', type: 'formula', options: { expression: '{code} & " in " & {country_name}' } },
  ]
  const fieldsOfCountries: readonly NewField[] = [
    {
      name: 'region_count',
      type: 'rollup',
      options: {
        expression: 'countall({values})',
        formatting: { type: 'decimal', precision: 0 },
      },
      lookupOptions: { ...toRegions, lookupFieldId: ofRegions.get('code') ?? '' },
    },
    {
      name: 'summary',
      type: 'formula',
      options: {
        expression:
          '{name} & ": " & IF({region_count} = 1, "1 region", {region_count} & " regions")',
      },
    },
  ]
  for (const field of fieldsOfRegions)
    await api.fields.createField({ tableId: regionsId, ...field })
  for (const field of fieldsOfCountries) {
    await api.fields.createField({ tableId: countriesId, ...field })
  }
  return fieldsOfRegions.length + fieldsOfCountries.length
}

/** The ids of the fields of a table by their names. */
async function fieldIdsOf(api: Api, tableId: string): Promise<ReadonlyMap<string, string>> {
  const fields = await api.fields.listFields({ tableId })
  return new Map(fields.map(({ name, id }) => [name, id]))
}

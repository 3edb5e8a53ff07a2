import type { Api } from 'gateleg'

type NewTable = Parameters<Api['tables']['createTable']>[0]

/** A table of planets: its fields, and a record for each of them. */
export const planets: Omit<NewTable, 'baseId'> = {
  name: 'Planets',
  fields: [
    { name: 'Name', type: 'singleLineText', unique: true },
    {
      name: 'Kind',
      type: 'singleSelect',
      options: { choices: [{ name: 'rocky' }, { name: 'gas giant' }, { name: 'ice giant' }] },
    },
    { name: 'Moons', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
    {
      name: 'Found',
      type: 'date',
      options: { formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } },
    },
  ],
  records: [
    { fields: { Name: 'Mercury', Kind: 'rocky', Moons: 0 } },
    { fields: { Name: 'Venus', Kind: 'rocky', Moons: 0 } },
    { fields: { Name: 'Earth', Kind: 'rocky', Moons: 1 } },
    { fields: { Name: 'Mars', Kind: 'rocky', Moons: 2 } },
    { fields: { Name: 'Jupiter', Kind: 'gas giant', Moons: 95 } },
    { fields: { Name: 'Saturn', Kind: 'gas giant', Moons: 274 } },
    { fields: { Name: 'Uranus', Kind: 'ice giant', Moons: 28, Found: '1781-03-13T00:00:00.000Z' } },
    {
      fields: { Name: 'Neptune', Kind: 'ice giant', Moons: 16, Found: '1846-09-23T00:00:00.000Z' },
    },
  ],
}

import type { Api } from 'gateleg/client'

type NewTable = Parameters<Api['tables']['createTable']>[0]
export type NewField = NonNullable<NewTable['fields']>[number]

/** A column that names records of another table, by what their primary fields hold. */
export interface LinkColumn {
  readonly column: string
  readonly to: AirportTable
}

/** A file, and the table that it becomes. The field of each column has the column's name. */
export interface AirportTable {
  readonly name: string
  /** Compressed, in the folder `data`. */
  readonly file: URL
  /** Records that the file holds. */
  readonly records: number
  /** The first one is the primary field. */
  readonly fields: readonly NewField[]
  /** Columns that become links, to tables that were loaded before. */
  readonly links?: readonly LinkColumn[]
}

const text = (name: string) => ({ name, type: 'singleLineText' }) satisfies NewField
const key = (name: string): NewField => ({ ...text(name), unique: true })
const url = (name: string): NewField => ({ ...text(name), options: { showAs: { type: 'url' } } })
const longText = (name: string): NewField => ({ name, type: 'longText' })
const checkbox = (name: string): NewField => ({ name, type: 'checkbox' })

function number(name: string, precision: number): NewField {
  return { name, type: 'number', options: { formatting: { type: 'decimal', precision } } }
}
const whole = (name: string) => number(name, 0)
const degrees = (name: string) => number(name, 5)

function select(name: string, ...choices: readonly string[]): NewField {
  return { name, type: 'singleSelect', options: { choices: choices.map((name) => ({ name })) } }
}
const continent = select('continent', 'AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA')

function fileOf(name: string): URL {
  return new URL(`../data/${name}.csv.gz`, import.meta.url)
}

/** One end of a runway: its lower number (`le`) or its higher one (`he`). */
function runwayEnd(end: 'le' | 'he'): readonly NewField[] {
  return [
    text(`${end}_ident`),
    degrees(`${end}_latitude_deg`),
    degrees(`${end}_longitude_deg`),
    whole(`${end}_elevation_ft`),
    number(`${end}_heading_degT`, 1),
    whole(`${end}_displaced_threshold_ft`),
  ]
}

export const countries: AirportTable = {
  name: 'Countries',
  file: fileOf('countries'),
  records: 249,
  fields: [
    key('code'),
    text('name'),
    whole('id'),
    continent,
    url('wikipedia_link'),
    longText('keywords'),
  ],
}

export const regions: AirportTable = {
  name: 'Regions',
  file: fileOf('regions'),
  records: 3_987,
  fields: [
    key('code'),
    text('name'),
    whole('id'),
    text('local_code'),
    continent,
    url('wikipedia_link'),
    longText('keywords'),
  ],
  links: [{ column: 'iso_country', to: countries }],
}

export const navaids: AirportTable = {
  name: 'Navigation aids',
  file: fileOf('navaids'),
  records: 11_008,
  fields: [
    text('ident'),
    text('name'),
    whole('id'),
    text('filename'),
    select('type', 'NDB', 'NDB-DME', 'VOR', 'VOR-DME', 'VORTAC', 'TACAN', 'DME'),
    whole('frequency_khz'),
    degrees('latitude_deg'),
    degrees('longitude_deg'),
    whole('elevation_ft'),
    text('iso_country'),
    whole('dme_frequency_khz'),
    text('dme_channel'),
    degrees('dme_latitude_deg'),
    degrees('dme_longitude_deg'),
    whole('dme_elevation_ft'),
    number('slaved_variation_deg', 3),
    number('magnetic_variation_deg', 3),
    select('usageType', 'BOTH', 'TERMINAL', 'LO', 'HI', 'RNAV'),
    select('power', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'),
    text('associated_airport'),
  ],
}

export const runways: AirportTable = {
  name: 'Runways',
  file: fileOf('runways'),
  records: 48_184,
  fields: [
    text('airport_ident'),
    whole('id'),
    whole('airport_ref'),
    whole('length_ft'),
    whole('width_ft'),
    text('surface'),
    checkbox('lighted'),
    checkbox('closed'),
    ...runwayEnd('le'),
    ...runwayEnd('he'),
  ],
}

export const airportTables: readonly AirportTable[] = [countries, regions, navaids, runways]

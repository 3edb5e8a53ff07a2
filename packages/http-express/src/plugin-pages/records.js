import { actFor, attempt, call, part, say } from './plugin-page.js'

const asked = new URLSearchParams(location.search)
const needed = ['tableId', 'pluginInstallId', 'recordIds']
const missing = needed.filter((name) => !asked.get(name))
const table = `/table/${encodeURIComponent(asked.get('tableId') ?? '')}`
const recordIds = (asked.get('recordIds') ?? '').split(',').filter((id) => id !== '')

/** Ids that one address names; more would make it longer than servers take. */
const idsAtOnce = 100

/** The records as data, or as they are shown. Those that were deleted meanwhile are left out. */
async function read(cellFormat) {
  const records = []
  for (let start = 0; start < recordIds.length; start += idsAtOnce) {
    const query = new URLSearchParams({ cellFormat, fieldKeyType: 'id', take: String(idsAtOnce) })
    for (const id of recordIds.slice(start, start + idsAtOnce)) {
      query.append('selectedRecordIds[]', id)
    }
    const page = await call('GET', `${table}/record?${query}`)
    records.push(...page.records)
  }
  return records
}

/** What there is to say of a field: how many records have something there, and what those come to. */
function toTexts(field, plain, shown) {
  const cells = plain.flatMap(({ fields }, place) =>
    fields[field.id] === undefined || fields[field.id] === null
      ? []
      : [{ value: fields[field.id], text: shown[place].fields[field.id] }],
  )
  const isNumber = field.cellValueType === 'number'
  if (field.isMultipleCellValue || !(isNumber || field.cellValueType === 'dateTime')) {
    return [field.name, cells.length, '', '', '']
  }
  // Dates are texts that sort as they follow one another.
  cells.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  const sum = cells.reduce((total, { value }) => total + Number(value), 0)
  const ends = [cells.at(0)?.text ?? '', cells.at(-1)?.text ?? '']
  // Sums of decimals are no more exact than that.
  return [field.name, cells.length, isNumber ? Number(sum.toPrecision(15)) : '', ...ends]
}

function toRow(texts) {
  const row = document.createElement('tr')
  for (const [place, text] of texts.entries()) {
    const cell = document.createElement(place === 0 ? 'th' : 'td')
    if (place === 0) cell.scope = 'row'
    cell.textContent = text
    row.append(cell)
  }
  return row
}

async function start() {
  await actFor('plgcontextexample', asked.get('pluginInstallId'))
  const install = encodeURIComponent(asked.get('pluginInstallId'))
  const [{ name }, fields, plain, shown] = await Promise.all([
    call('GET', `${table}/plugin-context-menu/${install}`),
    call('GET', `${table}/field`),
    read('json'),
    read('text'),
  ])
  part('name').textContent = name
  document.title = name
  const textsById = new Map(shown.map((record) => [record.id, record]))
  const both = plain.filter(({ id }) => textsById.has(id))
  const texts = both.map(({ id }) => textsById.get(id))
  const rows = fields.map((field) => toRow(toTexts(field, both, texts)))
  part('statistics')
    .querySelector('tbody')
    .replaceChildren(...rows)
  part('statistics').hidden = false
  say(`${both.length} ${both.length === 1 ? 'record' : 'records'}`)
}

if (missing.length === 0) attempt(start)
else {
  const form = needed.map((name) => `${name}=…`).join('&')
  say(`The address of this page must end in ?${form}: add ${missing.join(' and ')}`)
}

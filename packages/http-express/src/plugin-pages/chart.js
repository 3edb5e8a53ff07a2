import { actFor, attempt, call, fill, part, say } from './plugin-page.js'

const asked = new URLSearchParams(location.search)
const id = (name) => encodeURIComponent(asked.get(name) ?? '')

/** Where the plugin is installed, and where its chart is answered. */
const onPanel = asked.has('panelId')
const needed = [
  ...(onPanel ? ['tableId', 'panelId'] : ['baseId', 'dashboardId']),
  'pluginInstallId',
]
const missing = needed.filter((name) => !asked.get(name))
const install = onPanel
  ? `/table/${id('tableId')}/plugin-panel/${id('panelId')}/plugin/${id('pluginInstallId')}`
  : `/base/${id('baseId')}/dashboard/${id('dashboardId')}/plugin/${id('pluginInstallId')}`
const saved = onPanel
  ? `/plugin/chart/${id('pluginInstallId')}/plugin-panel/${id('panelId')}/query?tableId=${id('tableId')}`
  : `/plugin/chart/${id('pluginInstallId')}/dashboard/${id('dashboardId')}/query?baseId=${id('baseId')}`

const statistics = { sum: 'Sum', average: 'Average', min: 'Least', max: 'Greatest' }
const operators = {
  string: {
    is: 'is',
    isNot: 'is not',
    contains: 'contains',
    doesNotContain: 'does not contain',
  },
  number: {
    is: 'is',
    isNot: 'is not',
    isGreater: 'is more than',
    isGreaterEqual: 'is at least',
    isLess: 'is less than',
    isLessEqual: 'is at most',
  },
  boolean: { is: 'is' },
}
const emptiness = { isEmpty: 'is empty', isNotEmpty: 'is not empty' }

let baseId = ''
let fields = []

/** The fields of the table that is chosen, and what follows from them, each as the query has it. */
async function chooseTable(query = {}) {
  fields = await call('GET', `/table/${encodeURIComponent(part('table').value)}/field`)
  const numbers = fields.filter((one) => one.cellValueType === 'number' && !one.isMultipleCellValue)
  const [counted] = fields
  const [aggregation] = query.aggregation ?? []
  const values = [
    [`${counted.id} count`, 'Number of records'],
    ...numbers.flatMap((one) =>
      Object.entries(statistics).map(([name, text]) => [
        `${one.id} ${name}`,
        `${text} of ${one.name}`,
      ]),
    ),
  ]
  fill(part('value'), values, aggregation && `${aggregation.column} ${aggregation.statisticFunc}`)
  const named = fields.map((one) => [one.id, one.name])
  fill(part('group'), [['', 'All records'], ...named], query.groupBy?.[0]?.column)
  const [item] = query.where?.filterSet ?? []
  fill(part('filter-field'), [['', 'All records'], ...named], item?.fieldId)
  chooseField(item)
}

/** What may be asked of the field of the filter. */
function chooseField(item) {
  const field = fields.find((one) => one.id === part('filter-field').value)
  const isPlain =
    field &&
    !field.isMultipleCellValue &&
    !['link', 'user', 'attachment', 'button'].includes(field.type)
  const known = {
    ...(isPlain && operators[field.cellValueType]),
    ...(field?.cellValueType !== 'boolean' && emptiness),
  }
  fill(part('filter-operator'), field ? Object.entries(known) : [['', '']], item?.operator)
  part('filter-value').value = item?.value ?? ''
}

/** The query that the settings say. */
function toQuery() {
  const [column, statisticFunc] = part('value').value.split(' ')
  const group = part('form').value === 'number' ? '' : part('group').value
  const [by, order] = part('order').value.split(' ')
  const byGroup = { column: group, type: 'field', order }
  const byValue = { column: `${column}_${statisticFunc}`, type: 'aggregation', order }
  return {
    from: part('table').value,
    ...(part('filter-field').value && { where: { conjunction: 'and', filterSet: [toItem()] } }),
    ...(group && { groupBy: [{ column: group, type: 'field' }] }),
    aggregation: [{ column, type: 'field', statisticFunc }],
    ...(group && { orderBy: [by === 'group' ? byGroup : byValue] }),
  }
}

function toItem() {
  const fieldId = part('filter-field').value
  const operator = part('filter-operator').value
  const text = part('filter-value').value
  if (operator in emptiness) return { fieldId, operator }
  const { cellValueType } = fields.find((one) => one.id === fieldId)
  const values = { number: Number(text), boolean: text === 'true' }
  return { fieldId, operator, value: values[cellValueType] ?? text }
}

/** What the form calls a column of the answer; what it can't ask for, and what has a name of its own, keeps that. */
function nameOf({ type, column, name }) {
  if (type !== 'aggregation') return name
  const asked = [...part('value').options].find(({ value }) => value.replace(' ', '_') === column)
  const [fieldId, statistic] = asked?.value.split(' ') ?? []
  const isUnnamed = fields.some((one) => one.id === fieldId && name === `${one.name}_${statistic}`)
  return isUnnamed ? asked.text : name
}

/** Asks for the chart at a path, and shows it as a drawing and as a table. */
async function show(path, form) {
  const ask = (cellFormat) => call('GET', `${path}&cellFormat=${cellFormat}`)
  const [plain, texts] = await Promise.all([ask('json'), ask('text')])
  const value = plain.columns.findIndex(({ type }) => type === 'aggregation')
  const inColumn = ({ rows, columns }, place) => rows.map((row) => row[columns[place].column])
  const numbers = inColumn(plain, value)
  const labels = value > 0 ? inColumn(texts, 0).map((text) => text ?? '(empty)') : ['All records']
  const shown = inColumn(texts, value).map((text) => text ?? '')
  const names = plain.columns.map(nameOf)
  const title = names.toReversed().join(' by ')
  part('caption').textContent = title
  const [head, body] = part('numbers').querySelectorAll('thead, tbody')
  head.replaceChildren(toRow(names, 'col'))
  body.replaceChildren(
    ...labels.map((label, row) => toRow(value > 0 ? [label, shown[row]] : [shown[row]], 'row')),
  )
  part('shown').hidden = false
  part('drawing').hidden = form === 'number'
  part('number').hidden = form !== 'number'
  part('number').textContent = shown[0] ?? ''
  if (form !== 'number') draw(form, { title, labels, numbers, shown })
  say(`Drawn: ${numbers.length} ${numbers.length === 1 ? 'value' : 'values'}`)
}

function toRow(texts, scope) {
  const row = document.createElement('tr')
  for (const [place, text] of texts.entries()) {
    const cell = document.createElement(
      scope === 'col' || (place === 0 && texts.length > 1) ? 'th' : 'td',
    )
    if (cell.tagName === 'TH') cell.scope = scope
    cell.textContent = text
    row.append(cell)
  }
  return row
}

function draw(form, { title, labels, numbers, shown }) {
  const element = part('drawing')
  const chart = globalThis.echarts.getInstanceByDom(element) ?? globalThis.echarts.init(element)
  const pie = {
    series: [{ type: 'pie', data: numbers.map((value, row) => ({ name: labels[row], value })) }],
  }
  const type = form === 'bar' ? 'bar' : 'line'
  const along = {
    xAxis: { type: 'category', data: labels },
    yAxis: { type: 'value' },
    series: [{ type, data: numbers, ...(form === 'area' && { areaStyle: {} }) }],
  }
  // Patterns beside colours, and a description for those who see neither; the table has all of it.
  const first = labels.slice(0, 20).map((label, row) => `${label}: ${shown[row]}`)
  const description = `A chart of ${title}. ${first.join(', ')}`
  const aria = { enabled: true, decal: { show: true }, label: { description } }
  chart.setOption({ aria, animation: false, ...(form === 'pie' ? pie : along) }, true)
}

async function start() {
  await actFor('plgchart', asked.get('pluginInstallId'))
  const { storage, ...found } = await call('GET', install)
  baseId = found.baseId
  const tables = await call('GET', `/base/${encodeURIComponent(baseId)}/table`)
  const query = storage?.query
  const form = storage?.form ?? 'bar'
  fill(
    part('table'),
    tables.map((table) => [table.id, table.name]),
    query?.from ?? asked.get('tableId'),
  )
  part('form').value = form
  const [order] = query?.orderBy ?? []
  if (order) part('order').value = `${order.type === 'field' ? 'group' : 'value'} ${order.order}`
  part('settings').hidden = false
  if (tables.length > 0) await chooseTable(query)
  if (query) await show(saved, form)
  else say('Choose what the chart shows')
}

part('table').addEventListener('change', () => attempt(() => chooseTable()))
part('filter-field').addEventListener('change', () => chooseField())
part('show').addEventListener('click', () =>
  attempt(() => {
    const query = encodeURIComponent(JSON.stringify(toQuery()))
    return show(`/base/${encodeURIComponent(baseId)}/query?query=${query}`, part('form').value)
  }),
)
part('settings').addEventListener('submit', (event) => {
  event.preventDefault()
  attempt(async () => {
    const form = part('form').value
    await call('PATCH', `${install}/update-storage`, { storage: { form, query: toQuery() } })
    await show(saved, form)
    say('Saved')
  })
})
addEventListener('resize', () => globalThis.echarts.getInstanceByDom(part('drawing'))?.resize())
if (missing.length === 0) attempt(start)
else {
  const form = needed.map((name) => `${name}=…`).join('&')
  say(`The address of this page must end in ?${form}: add ${missing.join(' and ')}`)
}

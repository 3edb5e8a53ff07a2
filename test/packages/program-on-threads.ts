import { openEngine, sqlite } from 'gateleg'

// Runs where the packages are installed: many records are written, and a hash of them is made, on threads. Nothing else
// keeps the process alive meanwhile.
const engine = await openEngine({ storage: sqlite({ file: 'threads.db' }) })
await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
const ada = engine.as({ userId: 'usrAda' })
const { id: spaceId } = await ada.spaces.createSpace({ name: 'Observatory' })
const { id: baseId } = await ada.bases.createBase({ spaceId, name: 'Stars' })
const { id: tableId } = await ada.tables.createTable({ baseId, records: [] })
const records = Array.from({ length: 1_500 }, () => ({ fields: {} }))
await ada.records.createRecords({ tableId, records })
const verified = await ada.bases.verifyBase({ baseId })
process.stdout.write(`${verified.records} records, ${verified.problems.length} problems`)
await engine.close()

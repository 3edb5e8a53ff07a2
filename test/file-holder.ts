import { sqlite } from '@gateleg/adapters-sqlite/sqlite'

// A program that opens the file it is given, says so, and goes on until it is killed.

const [file = ''] = process.argv.slice(2)
await sqlite({ file }).open({ onCommit: () => {} })
process.stdout.write('open')
setInterval(() => {}, 1_000)

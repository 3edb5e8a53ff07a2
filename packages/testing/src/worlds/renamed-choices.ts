import type { TableWorld, TestTable } from './table-world.ts'

/** A field whose choices get other names: they are open and done at first. */
export interface RenamedChoices {
  readonly fieldId: string
  /** Gives both choices names; they keep their ids. */
  rename(one: string, two: string): Promise<unknown>
}

/** Options of two choices, by these names. */
export function twoChoices(one: string, two: string) {
  return {
    choices: [
      { id: 'one', name: one },
      { id: 'two', name: two },
    ],
  }
}

/** Adds a select field to the table that is called State. */
export async function addStates(
  world: TableWorld,
  table: TestTable,
  type: 'singleSelect' | 'multipleSelect',
): Promise<RenamedChoices> {
  const definition = { type, name: 'State', options: twoChoices('open', 'done') }
  const { id: fieldId } = await world.addField(table, definition)
  const rename = (one: string, two: string) =>
    world.convert(table, 'State', { type, options: twoChoices(one, two) })
  return { fieldId, rename }
}

/** Makes a table of two tasks, one of which is open and one done, and a table of people. */
export async function makeTasksAndPeople(world: TableWorld): Promise<{
  readonly tasks: TestTable
  readonly people: TestTable
  readonly states: RenamedChoices
}> {
  const tasks = await world.makeNames('Tasks', 'wash', 'cook')
  const states = await addStates(world, tasks, 'singleSelect')
  await world.change(tasks, tasks.recordIds[0], { State: 'open' })
  await world.change(tasks, tasks.recordIds[1], { State: 'done' })
  return { tasks, states, people: await world.makeNames('People', 'ann') }
}

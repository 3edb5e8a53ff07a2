/** The message about a link to a record that doesn't exist, or that the caller may not link to. */
export function notLinkable(recordId: string): string {
  return `names "${recordId}", which is no record of the linked table`
}

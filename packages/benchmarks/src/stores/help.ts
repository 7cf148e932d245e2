export const HELP = `What durable storage costs, beside the bare driver with the same settings.

  npm run bench -- --stores [flags]

  --appends n        appends in each round (300)
  --events n         the length of the session that is loaded (10000)
  --rounds n         rounds, bare and Adorn in turn (15)
  --help             this text

append, one session     one append after the other, each on the disk before the next
append, ten sessions    ten such rows of appends at once
load                    a session that no cache knows: beside SELECT and JSON.parse
turn                    the look at a session that is loaded already, which each turn begins with
read and write          one key of the state, with few keys and with many

Each line is the median of all rounds. A ratio counts; the rates are those of this machine's disk.
`;

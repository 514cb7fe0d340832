"""The journeys of the product from end to end: what each is, and the test that holds it.

`browser` names the ones that a real Chromium walks through the running product as well.

| J   | What happens                                            | Test            | In a browser         |
|-----|---------------------------------------------------------|-----------------|----------------------|
| J1  | LoRA, a month of rent, a pilot, a letter with its points | test_ways, test_afterwards | test_journey |
| J2  | All weights on the own site; ten kilowatts open the rack | test_limits     | test_journey_rack    |
| J3  | Answers over documents: search first, back with evidence | test_ways       |                      |
| J4  | Weights stay: inference                                  | test_ways       |                      |
| J5  | From scratch: magnitudes and questions                   | test_limits     | test_journey_scratch |
| J6  | Own or rented, undecided                                 | test_ways       |                      |
| J7  | Millions of small images: data first                     | test_limits     |                      |
| J8  | A card that does not go into the chassis                 | test_limits     |                      |
| J9  | A code of parts, confirmed by a document                 | test_limits     |                      |
| J10 | A question over a weekend, the clock waits               | test_afterwards |                      |
| J11 | The next letter replaces the first                       | test_people     | test_journey_rack    |
| J12 | An estimator that fails                                  | test_people     |                      |
| J13 | Two engineers at one requisition                         | test_people     |                      |
| J14 | A guest answers on a telephone                           | test_people     | test_guest           |
| J15 | A manager writes for a client, who confirms              | test_people     |                      |
| J16 | Nobody approves their own work                           | test_people     |                      |
| J17 | A fact of the catalog is corrected                       | test_afterwards |                      |
| J18 | Training that is repeated                                | test_limits     |                      |
| J19 | One server for three teams                               | test_limits     |                      |
| J20 | A pilot without a gain                                   | test_afterwards |                      |
"""

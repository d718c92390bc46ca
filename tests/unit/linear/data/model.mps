* a model
* of two lines
* The objective is the negative of what is to be maximised.
NAME warpbound FREE
ROWS
 N objective
 L most
 G range
 G least
 E same
COLUMNS
    MARKER1 'MARKER' 'INTORG'
    pick_1 objective -10
    pick_1 most 1
    pick_1 least 1
    count objective -3
    count most 1
    count range 1
    MARKER2 'MARKER' 'INTEND'
    part objective -1
    part range 1
    debt objective -0.5
    debt least 1
    MARKER3 'MARKER' 'INTORG'
    fixed range 1
    fixed same 2
    MARKER4 'MARKER' 'INTEND'
    deep objective 0
RHS
    RHS most 4
    RHS range 3
    RHS least -1
    RHS same 4
RANGES
    RANGE range 3.5
BOUNDS
 UP BOUND pick_1 1
 LO BOUND count 1
 UP BOUND count 7
 MI BOUND debt
 UP BOUND debt -2
 FX BOUND fixed 2
 FR BOUND deep
ENDATA

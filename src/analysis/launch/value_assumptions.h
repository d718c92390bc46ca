/* How the assumptions begin that list values of the device by what is known of them. */
#ifndef WB_ANALYSIS_LAUNCH_VALUE_ASSUMPTIONS_H
#define WB_ANALYSIS_LAUNCH_VALUE_ASSUMPTIONS_H

#define WB_VALUES_MEASURED "measured on an idle device, and taken as the most that they can be: "
#define WB_VALUES_ASSUMED "assumed, for no source is known: "
#define WB_VALUES_DECLARED "declared by the user: "
#define WB_VALUES_LEFT_OUT "not given by the device file, 0 assumed: "

#endif
